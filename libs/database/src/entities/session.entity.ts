import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { UserEntity } from './user.entity.js';

@Entity('sessions')
export class SessionEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => UserEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user?: Relation<UserEntity>;

  /** SHA-256 of the cookie's token. */
  @Column('bytea', { name: 'token_hash', unique: true })
  tokenHash: Buffer;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt: Date;

  /** From where it was opened. */
  @Column('text', { nullable: true })
  address: string | null;

  @Column('text', { name: 'user_agent', nullable: true })
  userAgent: string | null;

  /** To the minute. */
  @Column('timestamptz', { name: 'last_seen_at', default: () => 'clock_timestamp()' })
  lastSeenAt: Date;
}
