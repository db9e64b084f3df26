import { type ConflictRule, planAdmissions } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { keyLockOf, RUN_QUEUED } from '../concurrency/admit-new-runs.js';
import { cancelRun } from '../runs/cancel-run.js';
import { Settlement } from '../settlement/settlement.js';
import { WakeBus } from '../wake/wake-bus.js';
import type { PassResult } from './pass-runner.js';

const MAX_KEYS = 500;
/** Another server creates or admits runs of the key just now. */
const BUSY_RETRY_MS = 20;

interface WaitingKey {
  workflow_id: string;
  key: string;
}

interface OpenRow {
  run_id: string;
  run_limit: number;
  on_conflict: ConflictRule;
  admitted: boolean;
  cancelling: boolean;
}

interface AdmittedKey {
  admitted: { id: string; projectId: string }[];
  cancel: string[];
  busy: boolean;
}

/** Runs that wait for their key start in the order of their creation as soon as it has room; those that a later run replaces are cancelled first. */
@Injectable()
export class AdmitPass {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  async run(): Promise<PassResult> {
    const keys = await sqlOutsideTransaction(this.source).query<WaitingKey>(
      'select distinct workflow_id, key from run_admissions where ended_at is null and admitted_at is null limit $1',
      [MAX_KEYS],
    );
    let again = false;
    let isBusy = false;
    for (const key of keys) {
      const { admitted, cancel, busy } = await inTransaction(this.source, (sql) => admitWaiting(sql, key));
      isBusy ||= busy;
      if (admitted.length > 0) {
        this.wakeBus.place();
        this.wakeBus.unplaced();
      }
      this.wakeBus.changed(admitted.map(({ id, projectId }) => ({ entity: 'run', id, projectId })));
      for (const id of cancel) await this.cancel(id);
      again ||= cancel.length > 0;
    }
    return { again, ...(isBusy ? { wakeInMs: BUSY_RETRY_MS } : {}) };
  }

  /** In a transaction of its own, since it locks another run: the key's lock is never held with it. One that has ended meanwhile is as good. */
  private async cancel(id: string): Promise<void> {
    const { projectId, nodeIds, attemptIds } = await inTransaction(this.source, async (sql) => {
      const [open] = await sql.query<{ begun: boolean }>(
        `select exists (select 1 from run_admissions a where a.run_id = r.id and a.admitted_at is not null) as begun
         from runs r where r.id = $1 and r.finished_at is null for no key update of r`,
        [id],
      );
      // Of a run that never began the final tasks have nothing to tidy.
      return open ? cancelRun(sql, this.settlement.specs, id, !open.begun) : { projectId: undefined, nodeIds: [], attemptIds: [] };
    });
    if (projectId === undefined) return;
    for (const nodeId of nodeIds) this.wakeBus.work(nodeId);
    this.wakeBus.place();
    this.wakeBus.unplaced();
    this.wakeBus.changed([
      { entity: 'run', id, projectId },
      ...attemptIds.map((attemptId) => ({ entity: 'attempt' as const, id: attemptId, runId: id, projectId })),
    ]);
  }
}

async function admitWaiting(sql: Sql, { workflow_id, key }: WaitingKey): Promise<AdmittedKey> {
  const [lock] = await sql.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1, $2) as held', keyLockOf(workflow_id, key));
  if (!lock!.held) return { admitted: [], cancel: [], busy: true };
  const open = await sql.query<OpenRow>(
    `select a.run_id, a.run_limit, a.on_conflict, a.admitted_at is not null as admitted, r.state = 'cancelling' as cancelling
     from run_admissions a join runs r on r.id = a.run_id where a.workflow_id = $1 and a.key = $2 and a.ended_at is null and r.finished_at is null
       and not (a.admitted_at is null and r.state = 'paused') order by a.position`,
    [workflow_id, key],
  );
  const { admit, cancel } = planAdmissions(
    open.map((row) => ({
      runId: row.run_id,
      limit: row.run_limit,
      onConflict: row.on_conflict,
      isAdmitted: row.admitted,
      isCancelling: row.cancelling,
    })),
  );
  return { admitted: await writeAdmitted(sql, admit), cancel, busy: false };
}

/** A run that was cancelled meanwhile stays as it is; its place goes to the next one when it has ended. */
async function writeAdmitted(sql: Sql, runIds: readonly string[]): Promise<AdmittedKey['admitted']> {
  if (runIds.length === 0) return [];
  const runs = await sql.query<{ id: string; projectId: string }>(
    `select id, project_id as "projectId" from runs where id = any($1) and state = 'queued' order by id for no key update`,
    [runIds],
  );
  const ids = runs.map(({ id }) => id);
  await sql.query(
    `with held as (select id from task_runs where run_id = any($1) and state = 'waiting' and reason->>'code' = '${RUN_QUEUED}' order by id for update)
     update task_runs t set state = 'ready', ready_at = clock_timestamp(), reason = null,
       deadline_at = clock_timestamp() + make_interval(secs => t.deadline_seconds) from held h where t.id = h.id`,
    [ids],
  );
  await sql.query('update run_admissions set admitted_at = clock_timestamp() where run_id = any($1)', [ids]);
  return runs;
}
