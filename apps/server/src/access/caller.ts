import type { UserSource } from '@medley/contracts';
import { AppError, decideInProject, type Permission, type Phrase, projectsWith, type Rights } from '@medley/core';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The person on whose behalf a call is made, with what it may do at this moment. */
export interface Caller extends Rights {
  userId: string;
  name: string;
  displayName: string;
  email: string | null;
  source: UserSource;
  mustChangePassword: boolean;
  via: 'session' | 'token';
  /** Of the session or the token. */
  credentialId: string;
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

/** The projects whose rows a list may hold, for `project_id = any($1)`; null means all, without a condition. */
export type VisibleProjects = readonly string[] | null;

/** Where the permission holds; of these only the one that is asked for, when one is. */
export function visibleProjects(caller: Caller, permission: Permission, projectId?: string): VisibleProjects {
  const visible = projectsWith(caller, permission);
  if (projectId === undefined) return visible;
  return visible === null || visible.includes(projectId) ? [projectId] : [];
}

/** For a project that only the handler can find. Throws not-found with `missing` when the caller may not even see it, and permission-denied. */
export function requireInProject(caller: Caller, permission: Permission, projectId: string, missing: Phrase): void {
  const decision = decideInProject(caller, permission, projectId);
  if (decision.allowed) return;
  throw decision.hidden ? new AppError('not-found', missing) : new AppError('permission-denied', decision.reason);
}

/** The caller of a route with a permission. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  return context.switchToHttp().getRequest<FastifyRequest>().caller!;
});

/** The node of a route for agents. */
export const CurrentNode = createParamDecorator((_: unknown, context: ExecutionContext): CallingAgent => {
  return context.switchToHttp().getRequest<FastifyRequest>().node!;
});
