import { JOIN_ACTION } from '@medley/contracts';
import type { AppError } from '@medley/core';
import { type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller.js';
import { LOGGER } from '../logging/logger.js';
import { beginEvent, dropEvent, endEvent, type RecordedActor, recordRefusal } from './audit-log.js';
import { type Answer, type AuditedRequest, type AuditedThing, type AuditRule, uuidIn } from './audit-rule.js';
import { actionOf, auditRuleOf, isReading } from './audit-rules.js';
import { maskSecrets } from './mask-secrets.js';
import { RefusalBudget } from './refusal-budget.js';
import { capped, stateChange } from './state-change.js';

/** A call that is being recorded. */
export interface Recording {
  id: string;
  action: string;
  rule: AuditRule;
  request: AuditedRequest;
  before: AuditedThing | null;
  source: string;
}

type State = AuditedThing['state'] | null;

declare module 'fastify' {
  interface FastifyRequest {
    /** The project that the guard found the call to be about. */
    aboutProjectId?: string;
    /** Set while the call is recorded, so that its refusal is not recorded a second time. */
    isAudited?: boolean;
  }
}

/** Writes what is done into the audit: before it is done, and again with its end, so that nothing that was done is missing there. */
@Injectable()
export class AuditRecorder {
  private readonly sql: Sql;
  private readonly budget = new RefusalBudget(Date.now);

  constructor(
    @Inject(DataSource) source: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Null for a call that asks for no change. Throws when the event cannot be written: then nothing is done either. */
  async begin(action: string, rule: AuditRule, request: FastifyRequest): Promise<Recording | null> {
    const asked = askedOf(request);
    if (rule.isIdle?.(asked)) return null;
    const before = (await rule.read?.(this.sql, asked)) ?? null;
    const id = uuidv7();
    await beginEvent(this.sql, {
      id,
      action,
      actor: actorOf(request, action),
      projectId: before?.projectId ?? request.aboutProjectId ?? null,
      entityType: rule.entity,
      entityId: before?.id ?? uuidIn(asked.params.id),
      entityName: before?.name ?? null,
      before: shown(before?.state ?? null),
      requestId: String(request.id),
      address: request.ip,
    });
    request.isAudited = true;
    return { id, action, rule, request: asked, before, source: sourceOf(request) };
  }

  /** Whatever goes wrong here is logged only: what was done is done, and its event stays with an unknown outcome. */
  async succeeded(recording: Recording, answer: unknown): Promise<void> {
    await this.quietly(recording, async () => {
      const { rule, request, before } = recording;
      const told = (answer ?? {}) as Answer;
      const read = rule.read ? await rule.read(this.sql, request, told) : null;
      const more = rule.tell?.(request, told);
      const change = stateChange(read?.was ?? before?.state ?? null, read?.state ?? null);
      await endEvent(this.sql, {
        id: recording.id,
        outcome: 'succeeded',
        code: null,
        actorName: recording.action === JOIN_ACTION ? (read?.name ?? null) : null,
        projectId: read?.projectId ?? more?.projectId ?? null,
        entityId: read?.id ?? more?.id ?? null,
        entityName: read?.name ?? more?.name ?? null,
        before: shown(change.before),
        after: shown(more?.state ? { ...change.after, ...more.state } : change.after),
        unrecorded: 0,
      });
    });
  }

  async failed(recording: Recording, error: AppError): Promise<void> {
    await this.quietly(recording, async () => {
      const refused = error.kind !== 'internal' && error.kind !== 'unavailable';
      const unrecorded = refused ? this.budget.admit(`${recording.source} ${recording.action} ${error.code}`) : 0;
      if (unrecorded === null) return dropEvent(this.sql, recording.id);
      const nothing = { actorName: null, projectId: null, entityId: null, entityName: null, before: null, after: null };
      await endEvent(this.sql, { id: recording.id, outcome: refused ? 'refused' : 'failed', code: error.code, ...nothing, unrecorded });
    });
  }

  /** Someone who was not let through. What needs no record, and what would be too much of the same, is left out. */
  async refused(request: FastifyRequest, error: AppError): Promise<void> {
    const action = actionOf(request);
    if (action === null || request.isAudited || !isWorthRecording(action, error)) return;
    const unrecorded = this.budget.admit(`${sourceOf(request)} ${action} ${error.code}`);
    if (unrecorded === null) return;
    const { params, body } = askedOf(request);
    try {
      await recordRefusal(this.sql, {
        id: uuidv7(),
        action,
        actor: actorOf(request, action),
        projectId: request.aboutProjectId ?? null,
        entityType: SIGN_INS.has(action) ? 'user' : (auditRuleOf(action)?.entity ?? 'other'),
        entityId: uuidIn(params.id),
        code: error.code,
        requestId: String(request.id),
        address: request.ip,
        unrecorded,
        typedName: action === 'login' && typeof body.name === 'string' ? body.name : null,
      });
    } catch (fault) {
      this.logger.error({ err: fault, requestId: request.id, action, code: error.code }, 'a refusal could not be recorded');
    }
  }

  private async quietly({ id, action }: Recording, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.error({ err: error, auditEvent: id, action }, 'the outcome of a call could not be recorded and stays unknown');
    }
  }
}

const SIGN_INS = new Set(['login', 'finishOidcSignIn']);

/** Refused rights wherever they were missing, things that were hidden from someone who would change them, and failed sign-ins. */
function isWorthRecording(action: string, { kind }: AppError): boolean {
  if (SIGN_INS.has(action)) return kind !== 'invalid' && kind !== 'internal';
  return kind === 'forbidden' || (kind === 'not-found' && !isReading(action));
}

function askedOf({ params, query, body, caller }: FastifyRequest): AuditedRequest {
  return { params: fieldsOf(params), query: fieldsOf(query), body: fieldsOf(body), callerId: caller?.userId ?? null };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function actorOf({ caller }: { caller?: Caller }, action: string): RecordedActor {
  if (caller) return { kind: 'user', userId: caller.userId, name: caller.name, via: caller.via, credentialId: caller.credentialId };
  return { kind: action === JOIN_ACTION ? 'agent' : 'anonymous', userId: null, name: null, via: null, credentialId: null };
}

function sourceOf({ caller, ip }: FastifyRequest): string {
  return caller?.userId ?? ip;
}

/** As it may be read by whoever reads the audit. */
function shown(state: State): State {
  return capped(maskSecrets(state) as State);
}
