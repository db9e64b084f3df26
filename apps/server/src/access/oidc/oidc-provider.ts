import { AppError, phrase } from '@medley/core';
import { Inject, Injectable } from '@nestjs/common';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Logger } from 'pino';
import { ServerConfig } from '../../config.js';
import { LOGGER } from '../../logging/logger.js';
import type { ExternalIdentity } from '../sign-in/external-identity.js';
import { type Claims, claimAt, identityOf } from './identity-claims.js';
import type { OidcConfig } from './oidc.config.js';
import type { PendingSignIn } from './pending-sign-in.js';
import { problemOfProvider } from './provider-faults.js';

const METADATA_MS = 3_600_000;

/** The OpenID provider people sign in at: authorization code flow with PKCE, state and nonce. Asked about itself when first needed, and again hourly. */
@Injectable()
export class OidcProvider {
  private readonly settings: OidcConfig | null;
  private metadata: { configuration: Promise<Configuration>; until: number } | null = null;

  constructor(
    @Inject(ServerConfig) config: ServerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.settings = config.oidc;
  }

  /** Throws not-found where no provider is configured. */
  get config(): OidcConfig {
    if (this.settings === null) throw new AppError('not-found', phrase('no-openid-provider'));
    return this.settings;
  }

  /** Where the browser has to go, and what has to be kept until it is back. */
  begin(to: string): Promise<{ url: string; pending: PendingSignIn }> {
    return this.asking(async () => {
      const configuration = await this.discovered();
      const pending = { state: randomState(), nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier(), to };
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: `${this.config.publicOrigin}/api/v1/sign-in/oidc/callback`,
        scope: this.config.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await calculatePKCECodeChallenge(pending.codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    });
  }

  /** Who the provider vouches for in its answer, once state, code, signature and nonce are verified. `path` is what the browser came back to. */
  finish(path: string, pending: PendingSignIn): Promise<ExternalIdentity> {
    return this.asking(async () => {
      const configuration = await this.discovered();
      const { state: expectedState, nonce: expectedNonce, codeVerifier: pkceCodeVerifier } = pending;
      const checks = { expectedState, expectedNonce, pkceCodeVerifier, idTokenExpected: true };
      const tokens = await authorizationCodeGrant(configuration, new URL(path, this.config.publicOrigin), checks);
      const claims = await this.allClaims(configuration, tokens.access_token, tokens.claims()!);
      const identity = identityOf(claims, this.config);
      if (identity === null)
        throw new Error(`the provider told no claim ${this.config.userNameClaim}, but ${Object.keys(claims).join(', ')}`);
      return identity;
    });
  }

  /** Where the browser ends its session at the provider; null when that is not wanted, or the provider has no such page. */
  signOutUrl(): Promise<string | null> {
    return this.asking(async () => {
      const configuration = await this.discovered();
      if (!this.config.logout || !configuration.serverMetadata().end_session_endpoint) return null;
      return buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${this.config.publicOrigin}/login` }).href;
    });
  }

  /** Providers may keep the ID token short and tell the rest on request. */
  private async allClaims(configuration: Configuration, accessToken: string, claims: Claims & { sub: string }): Promise<Claims> {
    const wanted = [this.config.userNameClaim, ...(this.config.groupsClaim === null ? [] : [this.config.groupsClaim])];
    const isComplete = wanted.every((path) => claimAt(claims, path) !== undefined);
    if (isComplete || !configuration.serverMetadata().userinfo_endpoint) return claims;
    return { ...(await fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
  }

  /** Shared by all who ask at once; a failure is forgotten, so that the next sign-in tries again. */
  private discovered(): Promise<Configuration> {
    const now = performance.now();
    if (this.metadata !== null && now < this.metadata.until) return this.metadata.configuration;
    const { issuer, clientId, clientSecret, timeoutSeconds } = this.config;
    const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
    const configuration = discovery(issuer, clientId, undefined, clientAuthOf(clientSecret), { execute, timeout: timeoutSeconds });
    const metadata = { configuration, until: now + METADATA_MS };
    this.metadata = metadata;
    configuration.catch(() => {
      if (this.metadata === metadata) this.metadata = null;
    });
    return configuration;
  }

  private async asking<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      const problem = problemOfProvider(error);
      if (problem.code !== 'sign-in-denied' && problem.code !== 'not-found') {
        this.logger.warn({ err: error, issuer: this.settings?.issuer.href }, 'a sign-in through the provider failed');
      }
      throw problem;
    }
  }
}

/** In the header, as OpenID Connect has it when a provider says nothing else; in the body where the provider offers only that. */
function clientAuthOf(secret: string): ClientAuth {
  return (server, ...rest) => {
    const offered = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const auth = offered.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
    auth(server, ...rest);
  };
}
