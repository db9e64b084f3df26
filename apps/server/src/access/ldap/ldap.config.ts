import { accessSync, constants } from 'node:fs';
import { z } from 'zod';
import { isLoopback } from '../oidc/loopback.js';

/** Settings of the directory, as the environment holds them. */
export const ldapEnvironment = {
  MEDLEY_LDAP_URL: z.url({ protocol: /^ldaps?$/, error: 'a URL that begins with ldap:// or ldaps://' }).optional(),
  MEDLEY_LDAP_START_TLS: z.stringbool().default(false),
  MEDLEY_LDAP_CA_FILE: z.string().refine(isReadable, 'a file of certificates (PEM) that this process can read').optional(),
  MEDLEY_LDAP_BIND_DN: z.string().optional(),
  MEDLEY_LDAP_BIND_PASSWORD: z.string().optional(),
  MEDLEY_LDAP_BASE_DN: z.string().optional(),
  MEDLEY_LDAP_USER_FILTER: z.string().includes('{name}', 'must hold {name}').default('(uid={name})'),
  MEDLEY_LDAP_SUBJECT_ATTRIBUTE: z.string().default('entryUUID'),
  MEDLEY_LDAP_NAME_ATTRIBUTE: z.string().default('uid'),
  MEDLEY_LDAP_DISPLAY_NAME_ATTRIBUTE: z.string().default('cn'),
  MEDLEY_LDAP_EMAIL_ATTRIBUTE: z.string().default('mail'),
  MEDLEY_LDAP_GROUP_BASE_DN: z.string().optional(),
  MEDLEY_LDAP_GROUP_FILTER: z
    .string()
    .regex(/\{(dn|name)\}/, 'must hold {dn} or {name}')
    .default('(member={dn})'),
  MEDLEY_LDAP_GROUP_ATTRIBUTE: z.string().default('cn'),
  MEDLEY_LDAP_NESTED_GROUPS: z.stringbool().default(true),
  MEDLEY_LDAP_TIMEOUT_SECONDS: z.coerce.number().positive().max(60).default(5),
  MEDLEY_LDAP_DISPLAY_NAME: z.string().max(100).default('LDAP'),
};
const ldapSchema = z.object(ldapEnvironment);
export type LdapEnvironment = z.infer<typeof ldapSchema>;

/** Adds what is wrong with the settings as a whole. */
export function checkLdap(env: LdapEnvironment, fault: (key: keyof LdapEnvironment, message: string) => void): void {
  if (env.MEDLEY_LDAP_URL === undefined) return;
  if (env.MEDLEY_LDAP_BASE_DN === undefined) fault('MEDLEY_LDAP_BASE_DN', 'is missing');
  if ((env.MEDLEY_LDAP_BIND_DN === undefined) !== (env.MEDLEY_LDAP_BIND_PASSWORD === undefined)) {
    fault(env.MEDLEY_LDAP_BIND_DN === undefined ? 'MEDLEY_LDAP_BIND_DN' : 'MEDLEY_LDAP_BIND_PASSWORD', 'is missing');
  }
  const { protocol, hostname } = new URL(env.MEDLEY_LDAP_URL);
  if (protocol === 'ldaps:' && env.MEDLEY_LDAP_START_TLS)
    fault('MEDLEY_LDAP_START_TLS', 'is for ldap://; ldaps:// is encrypted from the start');
  if (protocol === 'ldap:' && !env.MEDLEY_LDAP_START_TLS && !isLoopback(hostname)) {
    fault('MEDLEY_LDAP_URL', 'would send passwords in clear; use ldaps://, or set MEDLEY_LDAP_START_TLS=true');
  }
}

/** Where the directory is, and what its entries are called. */
export interface LdapConfig {
  url: string;
  startTls: boolean;
  /** Trusted instead of the system's authorities. */
  caFile: string | null;
  /** Who searches; anonymous when null. */
  service: { dn: string; password: string } | null;
  baseDn: string;
  /** RFC 4515, with `{name}` for what was typed. */
  userFilter: string;
  attributes: { subject: string; name: string; displayName: string; email: string };
  /** `attribute` names a group; `dn` is its distinguished name. Null when the directory says nothing about groups. */
  groups: { baseDn: string; filter: string; attribute: string; areNested: boolean } | null;
  timeoutSeconds: number;
  displayName: string;
}

/** Null when no directory is configured. Expects settings that `checkLdap` found no fault with. */
export function ldapConfigOf(env: LdapEnvironment): LdapConfig | null {
  if (env.MEDLEY_LDAP_URL === undefined) return null;
  const { MEDLEY_LDAP_BIND_DN: dn, MEDLEY_LDAP_BIND_PASSWORD: password, MEDLEY_LDAP_GROUP_BASE_DN: groupBaseDn } = env;
  return {
    url: env.MEDLEY_LDAP_URL,
    startTls: env.MEDLEY_LDAP_START_TLS,
    caFile: env.MEDLEY_LDAP_CA_FILE ?? null,
    service: dn === undefined ? null : { dn, password: password! },
    baseDn: env.MEDLEY_LDAP_BASE_DN!,
    userFilter: env.MEDLEY_LDAP_USER_FILTER,
    attributes: {
      subject: env.MEDLEY_LDAP_SUBJECT_ATTRIBUTE,
      name: env.MEDLEY_LDAP_NAME_ATTRIBUTE,
      displayName: env.MEDLEY_LDAP_DISPLAY_NAME_ATTRIBUTE,
      email: env.MEDLEY_LDAP_EMAIL_ATTRIBUTE,
    },
    groups:
      groupBaseDn === undefined
        ? null
        : {
            baseDn: groupBaseDn,
            filter: env.MEDLEY_LDAP_GROUP_FILTER,
            attribute: env.MEDLEY_LDAP_GROUP_ATTRIBUTE,
            areNested: env.MEDLEY_LDAP_NESTED_GROUPS,
          },
    timeoutSeconds: env.MEDLEY_LDAP_TIMEOUT_SECONDS,
    displayName: env.MEDLEY_LDAP_DISPLAY_NAME,
  };
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
