import type { TaskSpec } from '@medley/contracts';
import { inTransaction, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settlement } from '../settlement/settlement.js';
import type { MarkedTaskRun } from '../settlement/settlement.types.js';
import type { PassResult } from './pass-runner.js';

const BATCH = 200;
/** What is due and was not ended is about to be, by another server or because it is being cancelled with its run. */
const SOONEST_MS = 500;

interface OverdueRow {
  id: string;
  task_key: string;
  workflow_id: string;
  workflow_version: number;
  deadline_at: Date;
}

// Of a run that is being cancelled only final tasks are ended here, where they were not cancelled with it; the others are being stopped already.
const overdue = `
select t.id, t.task_key, t.deadline_at, r.workflow_id, r.workflow_version from task_runs t join runs r on r.id = t.run_id
where t.deadline_at <= (select clock_timestamp()) and t.finished_at is null and t.mark is null and not (t.state = 'running' and t.pool_id is null and t.child_run_id is null)
  and (r.state <> 'cancelling' or not r.finals_cancelled and exists (
    select 1 from workflow_versions v where v.workflow_id = r.workflow_id and v.version = r.workflow_version and (v.spec->'tasks'->t.position->>'isFinal')::boolean
  )) order by t.deadline_at limit $1`;

const next = `
select (extract(epoch from min(deadline_at) - clock_timestamp()) * 1000)::float8 as ms from task_runs
where deadline_at is not null and finished_at is null and mark is null`;

/** Ends task runs whose deadline is over, as `onDeadline` says; what runs is stopped first. Asks to be woken at the next deadline. */
@Injectable()
export class DeadlinePass {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(Settlement) private readonly settlement: Settlement,
  ) {}

  async run(): Promise<PassResult> {
    const sql = sqlOutsideTransaction(this.source);
    const rows = await sql.query<OverdueRow>(overdue, [BATCH]);
    if (rows.length > 0) {
      const marks = await Promise.all(rows.map((row) => this.markOf(row)));
      this.settlement.announceMarking(await inTransaction(this.source, (tx) => this.settlement.mark(tx, marks)));
    }
    const [soonest] = await sql.query<{ ms: number | null }>(next);
    return { again: rows.length >= BATCH, ...(soonest?.ms == null ? {} : { wakeInMs: Math.max(SOONEST_MS, soonest.ms) }) };
  }

  private async markOf({ id, task_key, deadline_at, ...row }: OverdueRow): Promise<MarkedTaskRun> {
    const { task } = await this.settlement.specs.load(sqlOutsideTransaction(this.source), row.workflow_id, row.workflow_version);
    const state = endOf(task(task_key));
    const reason = {
      code: 'deadline',
      text: `its deadline passed at ${deadline_at.toISOString()}`,
      values: { as: state, at: deadline_at.toISOString() },
    };
    return { taskRunId: id, state, reason };
  }
}

function endOf({ onDeadline = 'fail' }: TaskSpec): MarkedTaskRun['state'] {
  const ends = { fail: 'failed', skip: 'skipped', succeed: 'succeeded' } as const;
  return ends[onDeadline];
}
