import { type LoginRequest, loginRequestSchema, type Me } from '@medley/contracts';
import { Body, Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Route } from '../rest/route.decorator.js';
import { SESSION_COOKIE } from './access.guard.js';
import { Public, RequirePermission } from './access-rule.js';
import { type Caller, CurrentCaller } from './caller.js';
import { CallerLookup } from './caller-lookup.js';
import { requireSameOrigin } from './same-origin.js';
import { SESSION_SECONDS, SessionService } from './session.service.js';

@Controller()
export class SessionController {
  constructor(
    @Inject(SessionService) private readonly sessions: SessionService,
    @Inject(CallerLookup) private readonly callers: CallerLookup,
  ) {}

  @Route('login')
  @Public()
  async logIn(
    @Body({ schema: loginRequestSchema }) body: LoginRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Me> {
    requireSameOrigin(request);
    const token = await this.sessions.logIn(body, request.ip);
    reply.setCookie(SESSION_COOKIE, token, { ...cookieOptions(request), maxAge: SESSION_SECONDS });
    return meOf((await this.callers.bySession(token))!);
  }

  @Route('logout')
  @RequirePermission('self:read')
  async logOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const token = request.cookies[SESSION_COOKIE];
    if (token) await this.sessions.logOut(token);
    reply.clearCookie(SESSION_COOKIE, cookieOptions(request));
  }

  @Route('me')
  @RequirePermission('self:read')
  me(@CurrentCaller() caller: Caller): Me {
    return meOf(caller);
  }
}

function cookieOptions(request: FastifyRequest) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: request.protocol === 'https' } as const;
}

function meOf(caller: Caller): Me {
  return { ...caller, expiresAt: caller.expiresAt?.toISOString() ?? null };
}
