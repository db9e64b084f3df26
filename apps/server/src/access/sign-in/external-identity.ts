/** A person as another system vouches for: what a sign-in through it brings along. */
export interface ExternalIdentity {
  source: 'oidc' | 'ldap';
  /** Whose subject it is, where several providers could call people the same: the `iss` of the ID token. Null for a directory, whose subjects are unique anywhere. */
  issuer: string | null;
  /** What that system calls the person for ever, whatever happens to the name. */
  subject: string;
  userName: string;
  displayName: string | null;
  email: string | null;
  /** External names of the groups the person belongs to; null when that system is not asked about groups. */
  groups: readonly string[] | null;
}

/** A system that knows people's passwords. */
export interface PasswordDirectory {
  /** Who signs in with this name and password; null when they do not fit. */
  authenticate(name: string, password: string): Promise<ExternalIdentity | null>;
}
