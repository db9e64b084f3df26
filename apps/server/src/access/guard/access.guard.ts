import { type IdParams, idParamsSchema } from '@medley/contracts';
import {
  type AccessDecision,
  AppError,
  decideAnywhere,
  decideInProject,
  decideOnPlatform,
  type Permission,
  type Phrase,
  phrase,
  projectsWith,
} from '@medley/core';
import { type ArgumentMetadata, type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { ZodValidationPipe } from '../../rest/zod-validation.pipe.js';
import { ACCESS_RULE, type AccessRule, type ProjectSource } from '../access-rule.js';
import type { Caller } from '../caller.js';
import { AgentLookup } from './agent-lookup.js';
import { bearerOf, CallerIdentification } from './caller-identification.js';
import { ProjectLookup, type ProjectThing } from './project-lookup.js';

/** Stands before every route and denies what no rule allows. */
const noSuch: Readonly<Record<ProjectThing, Phrase>> = {
  project: phrase('no-such-project'),
  workflow: phrase('no-such-workflow'),
  schedule: phrase('no-such-schedule'),
  run: phrase('no-such-run'),
  'task run': phrase('no-such-task-run'),
  attempt: phrase('no-such-attempt'),
  backfill: phrase('no-such-backfill'),
};

@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(Reflector) private readonly reflector: Reflector,
    @Inject(CallerIdentification) private readonly callers: CallerIdentification,
    @Inject(AgentLookup) private readonly agents: AgentLookup,
    @Inject(ProjectLookup) private readonly projects: ProjectLookup,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [context.getHandler(), context.getClass()]);
    if (!rule) throw new AppError('permission-denied', phrase('address-closed'));
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (rule.kind === 'agent') await this.admitAgent(request);
    if (rule.kind === 'permission') await this.admitCaller(request, rule);
    return true;
  }

  private async admitAgent(request: FastifyRequest): Promise<void> {
    const credential = bearerOf(request);
    const node = credential ? await this.agents.byCredential(credential) : null;
    if (!node) throw new AppError('agent-credential-invalid', phrase('node-join-again'));
    request.node = node;
  }

  private async admitCaller(request: FastifyRequest, rule: AccessRule & { kind: 'permission' }): Promise<void> {
    const caller = await this.callers.identify(request);
    request.caller = caller; // also of a call that is refused: the audit names whose it was
    if (caller.mustChangePassword && !rule.beforePasswordChange) {
      throw new AppError('password-change-required', phrase('set-own-password'));
    }
    const decision =
      rule.project.kind === 'thing'
        ? await this.decideForThing(request, caller, rule.permission, rule.project)
        : decideWithoutThing(caller, rule.permission, rule.project);
    if (!decision.allowed) throw new AppError('permission-denied', decision.reason);
  }

  /** A thing in a project that the caller cannot see answers exactly as one that is not there. */
  private async decideForThing(
    request: FastifyRequest,
    caller: Caller,
    permission: Permission,
    { thing, parameter }: ProjectSource & { kind: 'thing' },
  ): Promise<AccessDecision> {
    const projectId = await this.projects.projectOf(thing, idIn(request, parameter));
    request.aboutProjectId = projectId ?? undefined;
    const decision = projectId === null ? null : decideInProject(caller, permission, projectId);
    if (!decision || (!decision.allowed && decision.hidden)) throw new AppError('not-found', noSuch[thing]);
    return decision;
  }
}

function decideWithoutThing(caller: Caller, permission: Permission, project: ProjectSource): AccessDecision {
  if (project.kind === 'platform') return decideOnPlatform(caller, permission);
  const decision = decideAnywhere(caller, permission);
  if (project.kind === 'visible' || !decision.allowed) return decision;
  const nowhere = projectsWith(caller, permission)?.length === 0;
  return nowhere ? { allowed: false, hidden: false, reason: phrase('permission-nowhere', { permission }) } : decision;
}

const pipe = new ZodValidationPipe();

/** Refuses a malformed id as the handler would. */
function idIn(request: FastifyRequest, parameter: string): string {
  const id = (request.params as Record<string, unknown>)[parameter];
  return (pipe.transform({ id }, { type: 'param', schema: idParamsSchema } as ArgumentMetadata) as IdParams).id;
}
