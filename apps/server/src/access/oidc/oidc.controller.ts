import { type BeginOidcQuery, beginOidcQuerySchema } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { Controller, Inject, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { appErrorOf } from '../../errors/problem-of.js';
import { LOGGER } from '../../logging/logger.js';
import { Route } from '../../rest/route.decorator.js';
import { Public } from '../access-rule.js';
import { originOf } from '../sessions/open-session.js';
import { setSessionCookie } from '../sessions/session-cookie.js';
import { ExternalSignIn } from '../sign-in/external-sign-in.service.js';
import { OidcProvider } from './oidc-provider.js';
import { PENDING_SECONDS, type PendingSignIn, PendingSignInSeal } from './pending-sign-in.js';
import { safeReturn } from './safe-return.js';

const PENDING_COOKIE = 'medley_sign_in';

/** Sign-in through the OpenID provider. Browsers follow links to these addresses, so that a refusal too is a redirect: to the login page, with its code. */
@Controller()
export class OidcController {
  constructor(
    @Inject(OidcProvider) private readonly provider: OidcProvider,
    @Inject(ExternalSignIn) private readonly signIns: ExternalSignIn,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Route('beginOidcSignIn')
  @Public()
  async begin(
    @Query({ schema: beginOidcQuerySchema }) { to }: BeginOidcQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { publicOrigin } = this.provider.config;
    try {
      const { url, pending } = await this.provider.begin(safeReturn(to, publicOrigin).slice(publicOrigin.length));
      reply.setCookie(PENDING_COOKIE, this.seal().seal(pending), { ...this.cookieOptions(), maxAge: PENDING_SECONDS });
      reply.redirect(url, 302);
    } catch (error) {
      reply.redirect(this.loginPage(error, to, request), 302);
    }
  }

  @Route('finishOidcSignIn')
  @Public()
  async finish(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { publicOrigin } = this.provider.config;
    const pending = this.seal().open(request.cookies[PENDING_COOKIE] ?? '');
    reply.clearCookie(PENDING_COOKIE, this.cookieOptions());
    try {
      const { token } = await this.signIns.signIn(await this.identify(request, pending), originOf(request));
      setSessionCookie(request, reply, token);
      reply.redirect(safeReturn(pending!.to, publicOrigin), 302);
    } catch (error) {
      reply.redirect(this.loginPage(error, pending?.to ?? '/', request), 302);
    }
  }

  /** The session at Medley ends by `logout`, which no link can be made to do. */
  @Route('signOutOfOidc')
  @Public()
  async signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { publicOrigin } = this.provider.config;
    try {
      reply.redirect((await this.provider.signOutUrl()) ?? `${publicOrigin}/login`, 302);
    } catch (error) {
      reply.redirect(this.loginPage(error, '/', request), 302);
    }
  }

  private identify(request: FastifyRequest, pending: PendingSignIn | null) {
    if (pending === null) throw new AppError('sign-in-expired', phrase('sign-in-anew'));
    return this.provider.finish(request.url, pending);
  }

  private loginPage(error: unknown, to: string, request: FastifyRequest): string {
    const { publicOrigin } = this.provider.config;
    const problem = appErrorOf(error);
    if (problem.kind === 'internal') this.logger.error({ err: error, requestId: request.id }, 'a sign-in failed');
    const page = safeReturn(to, publicOrigin).slice(publicOrigin.length);
    const query = new URLSearchParams({ problem: problem.code, ...(page === '/' ? {} : { to: page }) });
    return `${publicOrigin}/login?${query}`;
  }

  private seal(): PendingSignInSeal {
    return new PendingSignInSeal(this.provider.config.clientSecret, Date.now);
  }

  /** Lax: the provider sends the browser back by a link from another site, and a strict cookie would stay behind. */
  private cookieOptions() {
    const secure = this.provider.config.publicOrigin.startsWith('https:');
    return { httpOnly: true, sameSite: 'lax', path: '/api/v1/sign-in/oidc', secure } as const;
  }
}
