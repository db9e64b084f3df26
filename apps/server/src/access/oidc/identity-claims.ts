import type { ExternalIdentity } from '../sign-in/external-identity.js';
import type { OidcConfig } from './oidc.config.js';

const MAX_TEXT = 200;

export type Claims = Readonly<Record<string, unknown>>;

/** A claim by its name, or by a dotted path into nested ones (`realm_access.roles`); a claim whose own name has dots wins. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined), claims);
}

/** Who the claims are about; null when they do not name the user. A provider that tells no groups of a user says that there are none. */
export function identityOf(claims: Claims, config: Pick<OidcConfig, 'userNameClaim' | 'groupsClaim'>): ExternalIdentity | null {
  const subject = keyOf(claims.sub);
  const userName = keyOf(claimAt(claims, config.userNameClaim));
  if (subject === null || userName === null) return null;
  return {
    source: 'oidc',
    issuer: keyOf(claims.iss),
    subject,
    userName,
    displayName: textOf(claims.name),
    email: textOf(claims.email),
    groups: config.groupsClaim === null ? null : namesOf(claimAt(claims, config.groupsClaim)),
  };
}

function namesOf(value: unknown): string[] {
  const names = [value ?? []].flat().map(keyOf);
  return [...new Set(names.filter((name) => name !== null))];
}

/** What identifies something: as it is, or not at all. */
function keyOf(value: unknown): string | null {
  return typeof value === 'string' && /^\P{Cc}{1,255}$/u.test(value) ? value : null;
}

/** What people read: without letters that cannot be stored, and cut. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return (
    value
      .replaceAll(/\p{Cc}/gu, '')
      .trim()
      .slice(0, MAX_TEXT) || null
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
