import type { TokenScope } from '@medley/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The person on whose behalf a call is made. */
export interface Caller {
  userId: string;
  name: string;
  isAdmin: boolean;
  via: 'session' | 'token';
  scopes: TokenScope[];
  expiresAt: Date | null;
}

/** The agent that calls. */
export interface CallingAgent {
  id: string;
  poolId: string;
  name: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
    node?: CallingAgent;
  }
}

/** The caller of a route with a permission. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<FastifyRequest>().caller!;
});

/** The node of a route for agents. */
export const CurrentNode = createParamDecorator((_: unknown, context: ExecutionContext): CallingAgent => {
  return context.switchToHttp().getRequest<FastifyRequest>().node!;
});
