import { AppError } from '@medley/core';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ACCESS_RULE, type AccessRule } from './access-rule.js';
import { AgentLookup } from './agent-lookup.js';
import type { Caller } from './caller.js';
import { CallerLookup } from './caller-lookup.js';
import { isPermitted, type Permission } from './permissions.js';
import { requireSameOrigin } from './same-origin.js';

export const SESSION_COOKIE = 'medley_session';

/** Stands before every route and denies what no rule allows. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(CallerLookup) private readonly callers: CallerLookup,
    @Inject(AgentLookup) private readonly agents: AgentLookup,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [context.getHandler(), context.getClass()]);
    if (!rule) throw new AppError('permission-denied', 'This address has no access rule and is closed.');
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (rule.kind === 'agent') await this.admitAgent(request);
    if (rule.kind === 'permission') await this.admitCaller(request, rule.permission);
    return true;
  }

  private async admitAgent(request: FastifyRequest): Promise<void> {
    const credential = bearerOf(request);
    const node = credential ? await this.agents.byCredential(credential) : null;
    if (!node) throw new AppError('agent-credential-invalid', 'The node is unknown or was removed; join again with a join token.');
    request.node = node;
  }

  private async admitCaller(request: FastifyRequest, permission: Permission): Promise<void> {
    const caller = await this.identify(request);
    if (!isPermitted(caller.scopes, permission)) {
      throw new AppError('permission-denied', `This needs the permission ${permission}, which ${describe(caller)} does not have.`);
    }
    request.caller = caller;
  }

  private async identify(request: FastifyRequest): Promise<Caller> {
    const bearer = bearerOf(request);
    if (bearer !== null) {
      const caller = await this.callers.byApiToken(bearer);
      if (!caller) throw new AppError('token-invalid', 'Create a new API token, or sign in.');
      return caller;
    }
    const cookie = request.cookies[SESSION_COOKIE];
    const caller = cookie ? await this.callers.bySession(cookie) : null;
    if (!caller) throw new AppError('authentication-required', 'Sign in, or send an API token as "Authorization: Bearer …".');
    requireSameOrigin(request);
    return caller;
  }
}

function bearerOf(request: FastifyRequest): string | null {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

function describe(caller: Caller): string {
  return caller.via === 'token' ? `this token of ${caller.name}` : caller.name;
}
