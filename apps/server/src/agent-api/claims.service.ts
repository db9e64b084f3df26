import type { AttemptWork, Claim, ClaimResult, TaskSpec } from '@medley/contracts';
import { AppError, localDate, type ParameterValues, type ReferenceContext, renderText } from '@medley/core';
import { inTransaction, type Sql } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Settlement } from '../settlement/settlement.js';
import type { AttemptEnding } from '../settlement/settlement.types.js';
import { WakeBus } from '../wake/wake-bus.js';
import { Batcher } from './batcher.js';

const GRACE_SECONDS = 10;
/** The agent enforces the timeout; the server only steps in when it has not. */
const DEADLINE_MARGIN_SECONDS = 30;
const LOG_CAP_BYTES = 16 * 1024 * 1024;
const MAX_BATCH = 500;

interface NodeClaims {
  nodeId: string;
  claims: readonly Claim[];
}

interface GrantedRow {
  attempt_id: string;
  number: number;
  run_id: string;
  task_key: string;
  workflow_id: string;
  workflow_version: number;
  project_id: string;
  project: string;
  workflow: string;
  parameters: ParameterValues;
  fire_at: Date | null;
  zone: string | null;
  first_claim: boolean;
}

const startRuns = `
with queued as (
  select r.id from runs r where r.state = 'queued' and r.id in (select run_id from attempts where id = any($1)) order by r.id for update
)
update runs r set state = 'running', started_at = clock_timestamp() from queued q where r.id = q.id`;

const claimStatement = `
with input as (
  select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[], $5::text[], $6::uuid[]) as i(attempt_id, task_run_id, fence, claim_id, carrier, node_id)
), locked as (
  select t.id, t.timeout_seconds from task_runs t join input i on i.task_run_id = t.id
  where t.state = 'dispatched' and t.fence = i.fence order by t.id for update of t
), granted as (
  update attempts a set state = 'running', claim_id = i.claim_id, carrier = i.carrier, claimed_at = clock_timestamp(), next_send_at = null, pull_from = null,
    deadline_at = clock_timestamp() + make_interval(secs => l.timeout_seconds + $7)
  from input i join locked l on l.id = i.task_run_id
  where a.id = i.attempt_id and a.task_run_id = i.task_run_id and a.fence = i.fence and a.node_id = i.node_id and a.state = 'dispatched'
  returning a.id, a.task_run_id, a.run_id, a.number
), started as (
  update task_runs t set state = 'running', started_at = coalesce(t.started_at, clock_timestamp()) from granted g where t.id = g.task_run_id
), repeated as (
  select a.id, a.task_run_id, a.run_id, a.number from attempts a join input i on i.attempt_id = a.id
  where a.claim_id = i.claim_id and a.node_id = i.node_id and a.fence = i.fence and a.state in ('running', 'stopping')
)
select g.id as attempt_id, g.number, g.run_id, t.task_key, r.workflow_id, r.workflow_version, r.project_id, p.name as project, w.name as workflow,
  r.parameters, r.fire_at, s.zone, g.first_claim
from (select *, true as first_claim from granted union all select *, false from repeated) g
join task_runs t on t.id = g.task_run_id join runs r on r.id = g.run_id join projects p on p.id = r.project_id join workflows w on w.id = r.workflow_id
left join schedules s on s.id = r.schedule_id`;

/**
 * Grants claims: a compare-and-set on (task run, fence, node) that is idempotent by claim id. Only a granted claim carries the specification. Claims of all
 * agents that arrive together share one transaction.
 */
@Injectable()
export class ClaimsService {
  private readonly batcher = new Batcher<NodeClaims, ClaimResult[]>(
    (batch) => this.grant(batch),
    ({ claims }) => claims.length,
    MAX_BATCH,
  );

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  /** One result per claim, in their order. */
  claim(nodeId: string, claims: readonly Claim[]): Promise<ClaimResult[]> {
    return this.batcher.submit({ nodeId, claims });
  }

  private async grant(batch: readonly NodeClaims[]): Promise<ClaimResult[][]> {
    const flat = batch.flatMap(({ nodeId, claims }) => claims.map((claim) => ({ ...claim, nodeId })));
    const { works, broken } = await inTransaction(this.source, async (sql) => {
      await sql.query(startRuns, [flat.map((claim) => claim.attemptId)]);
      const rows = await sql.query<GrantedRow>(claimStatement, [
        flat.map((claim) => claim.attemptId),
        flat.map((claim) => claim.taskRunId),
        flat.map((claim) => claim.fence),
        flat.map((claim) => claim.claimId),
        flat.map((claim) => claim.carrier),
        flat.map((claim) => claim.nodeId),
        GRACE_SECONDS + DEADLINE_MARGIN_SECONDS,
      ]);
      return this.describe(sql, rows);
    });
    this.announce(works);
    await this.failBroken(broken);
    return batch.map(({ claims }) => claims.map((claim) => resultOf(claim, works.get(claim.attemptId)?.work)));
  }

  /** A task whose values cannot be rendered must not take the other claims of the batch with it. */
  private async describe(sql: Sql, rows: readonly GrantedRow[]) {
    const works = new Map<string, { work: AttemptWork; row: GrantedRow }>();
    const broken: AttemptEnding[] = [];
    for (const row of rows) {
      const { task } = await this.settlement.specs.load(sql, row.workflow_id, row.workflow_version);
      try {
        works.set(row.attempt_id, { work: workOf(row, task(row.task_key)), row });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        broken.push({ attemptId: row.attempt_id, outcome: 'failed', exitCode: null, signal: null, detail: error.detail, runSeconds: null });
      }
    }
    return { works, broken };
  }

  private async failBroken(broken: readonly AttemptEnding[]): Promise<void> {
    if (broken.length === 0) return;
    this.settlement.announce(await inTransaction(this.source, (sql) => this.settlement.endAttempts(sql, broken)));
  }

  private announce(works: ReadonlyMap<string, { row: GrantedRow }>): void {
    const runs = new Map<string, string>();
    for (const { row } of works.values()) if (row.first_claim) runs.set(row.run_id, row.project_id);
    this.wakeBus.changed([...runs].map(([id, projectId]) => ({ entity: 'run', id, projectId })));
  }
}

function resultOf(claim: Claim, work: AttemptWork | undefined): ClaimResult {
  if (work) return { attemptId: claim.attemptId, granted: true, work };
  return {
    attemptId: claim.attemptId,
    granted: false,
    reason: 'the dispatch is no longer valid: already claimed, withdrawn, cancelled or for another node',
  };
}

function workOf(row: GrantedRow, task: TaskSpec): AttemptWork {
  const context: ReferenceContext = {
    parameters: row.parameters,
    run: { id: row.run_id, workflow: row.workflow },
    task: { key: row.task_key },
    schedule: row.fire_at && row.zone ? { fireTime: row.fire_at.toISOString(), date: localDate(row.fire_at.getTime(), row.zone) } : null,
  };
  const render = (text: string) => renderText(text, context);
  const renderAll = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, render(value)]));
  const http = task.http && {
    ...task.http,
    url: render(task.http.url),
    headers: renderAll(task.http.headers),
    body: task.http.body === null ? null : render(task.http.body),
  };
  return {
    runId: row.run_id,
    project: row.project,
    workflow: row.workflow,
    taskKey: row.task_key,
    attemptNumber: row.number,
    kind: task.kind,
    script: task.script,
    http,
    env: renderAll(task.env),
    resources: task.resources,
    timeoutSeconds: task.timeoutSeconds,
    graceSeconds: GRACE_SECONDS,
    onLeaseLost: task.onLeaseLost,
    logCapBytes: LOG_CAP_BYTES,
  };
}
