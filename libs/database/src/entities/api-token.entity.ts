import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { UserEntity } from './user.entity.js';

@Entity('api_tokens')
export class ApiTokenEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user?: Relation<UserEntity>;

  @Column('text')
  name: string;

  /** SHA-256 of the token, which is shown once and not kept. */
  @Column('bytea', { name: 'token_hash', unique: true })
  tokenHash: Buffer;

  @Column('text', { array: true })
  scopes: string[];

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** The only project it is good for; null for all of its user's. */
  @Column('uuid', { name: 'project_id', nullable: true })
  projectId: string | null;
}
