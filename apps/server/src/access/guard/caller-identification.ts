import { AppError, phrase } from '@medley/core';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../caller.js';
import { sessionTokenIn } from '../sessions/session-cookie.js';
import { CallerLookup } from './caller-lookup.js';
import { requireSameOrigin } from './same-origin.js';

/** Reads a request's credential and tells whose it is. */
@Injectable()
export class CallerIdentification {
  constructor(@Inject(CallerLookup) private readonly callers: CallerLookup) {}

  /** Throws token-invalid, authentication-required and origin-refused. */
  async identify(request: FastifyRequest): Promise<Caller> {
    const bearer = bearerOf(request);
    if (bearer !== null) {
      const caller = await this.callers.byApiToken(bearer);
      if (!caller) throw new AppError('token-invalid', phrase('create-token-or-sign-in'));
      return caller;
    }
    const cookie = sessionTokenIn(request);
    const caller = cookie ? await this.callers.bySession(cookie) : null;
    if (!caller) throw new AppError('authentication-required', phrase('sign-in-or-send-token'));
    requireSameOrigin(request);
    return caller;
  }
}

export function bearerOf(request: FastifyRequest): string | null {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}
