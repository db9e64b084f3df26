import {
  type ChangePassword,
  changePasswordSchema,
  type EndedCredentials,
  type LoginRequest,
  loginRequestSchema,
  type Me,
} from '@medley/contracts';
import { Body, Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Route } from '../../rest/route.decorator.js';
import { Public, RequireSignIn } from '../access-rule.js';
import { type Caller, CurrentCaller } from '../caller.js';
import { CallerLookup } from '../guard/caller-lookup.js';
import { requireSameOrigin } from '../guard/same-origin.js';
import { OwnPasswordService } from '../passwords/own-password.service.js';
import { originOf } from '../sessions/open-session.js';
import { clearSessionCookie, sessionTokenIn, setSessionCookie } from '../sessions/session-cookie.js';
import { MeService } from './me.service.js';
import { SignInService } from './sign-in.service.js';

@Controller()
export class SignInController {
  constructor(
    @Inject(SignInService) private readonly signIns: SignInService,
    @Inject(CallerLookup) private readonly callers: CallerLookup,
    @Inject(MeService) private readonly mes: MeService,
    @Inject(OwnPasswordService) private readonly passwords: OwnPasswordService,
  ) {}

  @Route('login')
  @Public()
  async logIn(
    @Body({ schema: loginRequestSchema }) body: LoginRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Me> {
    requireSameOrigin(request);
    const token = await this.signIns.signIn(body, originOf(request));
    setSessionCookie(request, reply, token);
    return this.mes.describe((await this.callers.bySession(token))!);
  }

  @Route('logout')
  @RequireSignIn('self:read')
  async logOut(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    const token = sessionTokenIn(request);
    if (token) await this.signIns.signOut(token);
    clearSessionCookie(request, reply);
  }

  @Route('me')
  @RequireSignIn('self:read')
  me(@CurrentCaller() caller: Caller): Promise<Me> {
    return this.mes.describe(caller);
  }

  @Route('changePassword')
  @RequireSignIn('self:write')
  changePassword(
    @CurrentCaller() caller: Caller,
    @Body({ schema: changePasswordSchema }) body: ChangePassword,
    @Req() request: FastifyRequest,
  ): Promise<EndedCredentials> {
    return this.passwords.change(caller, body, request.ip);
  }
}
