import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid')
  id: string;

  /** Unique among users that are not removed, whatever its case. */
  @Column('text')
  name: string;

  /** PHC string of Argon2id; null for a user whose password another system checks. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash: string | null;

  @Column('boolean', { name: 'is_admin', default: false })
  isAdmin: boolean;

  @Column('timestamptz', { name: 'created_at', default: () => 'clock_timestamp()' })
  createdAt: Date;

  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt: Date | null;

  @Column('text', { name: 'display_name', default: '' })
  displayName: string;

  @Column('text', { nullable: true })
  email: string | null;

  /** Who vouches for the user. */
  @Column('text', { default: 'local' })
  source: 'local' | 'oidc' | 'ldap';

  /** The user's lasting id at its source; null for a local one. */
  @Column('text', { nullable: true })
  subject: string | null;

  /** Whose subject it is; null for a directory, and for users of before it was written down. */
  @Column('text', { nullable: true })
  issuer: string | null;

  @Column('boolean', { name: 'must_change_password', default: false })
  mustChangePassword: boolean;

  @Column('timestamptz', { name: 'last_sign_in_at', nullable: true })
  lastSignInAt: Date | null;

  /** Its row stays for the history that names it. */
  @Column('timestamptz', { name: 'removed_at', nullable: true })
  removedAt: Date | null;
}
