import { z } from 'zod';
import type { RestRoute } from './route.js';

/** The ways to sign in. `ldap` takes its name and password where a local user does; `oidc` is begun by going to /sign-in/oidc. */
export const signInMethodsSchema = z
  .object({
    password: z.literal(true),
    ldap: z.object({ displayName: z.string() }).nullable(),
    /** `signOut`: after signing out here, /sign-in/oidc/sign-out signs out at the provider as well. */
    oidc: z.object({ displayName: z.string(), signOut: z.boolean() }).nullable(),
  })
  .meta({ id: 'SignInMethods' });
export type SignInMethods = z.infer<typeof signInMethodsSchema>;

export const beginOidcQuerySchema = z.object({ to: z.string().max(2000).default('/') }).meta({ id: 'BeginOidcQuery' });
export type BeginOidcQuery = z.infer<typeof beginOidcQuerySchema>;

/** What the provider sends back: a code, or an error. Providers add parameters of their own. */
export const oidcAnswerQuerySchema = z
  .looseObject({ state: z.string().optional(), code: z.string().optional(), error: z.string().optional() })
  .meta({ id: 'OidcAnswerQuery' });

export const signInRoutes = {
  listSignInMethods: {
    method: 'GET',
    path: '/sign-in/methods',
    summary: 'The ways to sign in',
    answer: signInMethodsSchema,
    open: true,
  },
  beginOidcSignIn: {
    method: 'GET',
    path: '/sign-in/oidc',
    summary: 'Go to the OpenID provider to sign in, and on to the page `to` after that',
    query: beginOidcQuerySchema,
    status: 302,
    open: true,
  },
  finishOidcSignIn: {
    method: 'GET',
    path: '/sign-in/oidc/callback',
    summary: 'Back from the OpenID provider; sets the session cookie, or goes to the login page with the code of the problem',
    query: oidcAnswerQuerySchema,
    status: 302,
    open: true,
  },
  signOutOfOidc: {
    method: 'GET',
    path: '/sign-in/oidc/sign-out',
    summary: 'Go to the OpenID provider to end the session there; the session here has to be ended before',
    status: 302,
    open: true,
  },
} as const satisfies Record<string, RestRoute>;
