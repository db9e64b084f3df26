import { z } from 'zod';
import { isLoopback } from './loopback.js';

/** Settings of the OpenID provider, as the environment holds them. */
export const oidcEnvironment = {
  MEDLEY_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'a URL that begins with https:// or http://' })
    .refine(
      (url) => URL.canParse(url) && new URL(url).href === `${new URL(url).origin}/`,
      'an address without a path, e.g. https://medley.example',
    )
    .optional(),
  MEDLEY_OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'a URL that begins with https://' })
    .refine(isProtected, 'must be https:// unless the provider runs on this machine')
    .optional(),
  MEDLEY_OIDC_CLIENT_ID: z.string().optional(),
  MEDLEY_OIDC_CLIENT_SECRET: z.string().min(8, 'at least 8 characters').optional(),
  MEDLEY_OIDC_SCOPES: z
    .string()
    .refine((scopes) => scopes.split(/\s+/).includes('openid'), 'must hold openid')
    .default('openid profile email'),
  MEDLEY_OIDC_USER_NAME_CLAIM: z.string().default('preferred_username'),
  MEDLEY_OIDC_GROUPS_CLAIM: z.string().optional(),
  MEDLEY_OIDC_DISPLAY_NAME: z.string().max(100).default('OpenID Connect'),
  MEDLEY_OIDC_LOGOUT: z.stringbool().default(false),
  MEDLEY_OIDC_TIMEOUT_SECONDS: z.coerce.number().positive().max(60).default(10),
};
const oidcSchema = z.object(oidcEnvironment);
export type OidcEnvironment = z.infer<typeof oidcSchema>;

/** Adds what is wrong with the settings as a whole. */
export function checkOidc(env: OidcEnvironment, fault: (key: keyof OidcEnvironment, message: string) => void): void {
  if (env.MEDLEY_OIDC_ISSUER === undefined) return;
  for (const key of ['MEDLEY_PUBLIC_URL', 'MEDLEY_OIDC_CLIENT_ID', 'MEDLEY_OIDC_CLIENT_SECRET'] as const) {
    if (env[key] === undefined) fault(key, 'is missing');
  }
}

/** Who vouches for people, and which of its claims say what. */
export interface OidcConfig {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  scopes: string;
  userNameClaim: string;
  /** Null when the provider says nothing about groups. */
  groupsClaim: string | null;
  displayName: string;
  /** Whether signing out of Medley offers to sign out at the provider as well. */
  logout: boolean;
  timeoutSeconds: number;
  /** The origin under which browsers reach Medley. */
  publicOrigin: string;
}

/** Null when no provider is configured. Expects settings that `checkOidc` found no fault with. */
export function oidcConfigOf(env: OidcEnvironment): OidcConfig | null {
  if (env.MEDLEY_OIDC_ISSUER === undefined) return null;
  return {
    issuer: new URL(env.MEDLEY_OIDC_ISSUER),
    clientId: env.MEDLEY_OIDC_CLIENT_ID!,
    clientSecret: env.MEDLEY_OIDC_CLIENT_SECRET!,
    scopes: env.MEDLEY_OIDC_SCOPES,
    userNameClaim: env.MEDLEY_OIDC_USER_NAME_CLAIM,
    groupsClaim: env.MEDLEY_OIDC_GROUPS_CLAIM ?? null,
    displayName: env.MEDLEY_OIDC_DISPLAY_NAME,
    logout: env.MEDLEY_OIDC_LOGOUT,
    timeoutSeconds: env.MEDLEY_OIDC_TIMEOUT_SECONDS,
    publicOrigin: new URL(env.MEDLEY_PUBLIC_URL!).origin,
  };
}

function isProtected(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false;
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'https:' || isLoopback(hostname);
}
