import { inTransaction, type Sql } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { timetableColumns } from '../schedules/schedule-row.js';
import { type LockedUpstreamRow, lookAtSchedule } from '../upstreams/look-at-schedule.js';
import { upstreamColumns } from '../upstreams/read-facts.js';
import { WakeBus } from '../wake/wake-bus.js';
import type { PassResult } from './pass-runner.js';

const MOST_ARRIVALS = 1000;
/** Transactions that were under way when a schedule was made are over within moments. */
const HORIZON_RETRY_MS = 50;

const claimArrivals = `
with claimed as (
  select workflow_id, day, schedule_id, slot_at from upstream_arrivals where is_new order by workflow_id limit $1 for update skip locked
)
update upstream_arrivals a set is_new = false from claimed c
where a.workflow_id = c.workflow_id and a.day = c.day and a.schedule_id = c.schedule_id and a.slot_at = c.slot_at returning a.workflow_id`;

// A schedule that was made while a run was ending may not have been seen by that transaction. Once all that were under way are over, the runs tell everything.
// One that this database has yet to come to is of another one, of whose dump it was restored: what was under way there is over.
const isOver = '(c.horizon <= pg_snapshot_xmin(pg_current_snapshot()) or c.horizon >= pg_snapshot_xmax(pg_current_snapshot()))';

const lockConcerned = `
select s.id from schedules s join upstream_counts c on c.schedule_id = s.id
where c.needs_look or exists (select 1 from schedule_upstreams u where u.schedule_id = s.id and u.workflow_id = any($1))
order by s.id for no key update of s`;

// A statement of its own, after the rows are locked: only then does it see what another server has noted of them.
const readLocked = `
select ${upstreamColumns}, ${timetableColumns}, s.project_id as "projectId", c.is_seeded as "isSeeded"
from schedules s join upstream_counts c on c.schedule_id = s.id
where s.id = any($1) and s.enabled and s.removed_at is null and (c.is_seeded or ${isOver}) order by s.id`;

/**
 * Finds the dates of schedules for which all upstreams have succeeded; the fire pass starts their runs. Arrivals are looked at by one server each, but each looks at all that have come for
 * a schedule with its row locked: of two that come at once the later look sees both.
 */
@Injectable()
export class UpstreamPass {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  async run(): Promise<PassResult> {
    await inTransaction(this.source, takeHorizons);
    const { schedules, isReady, again } = await inTransaction(this.source, look);
    if (isReady) this.wakeBus.fire();
    this.wakeBus.changed(schedules.map(({ id, projectId }) => ({ entity: 'schedule', id, projectId })));
    const [waiting] = await inTransaction(this.source, (sql) =>
      sql.query<{ some: boolean }>('select exists (select 1 from upstream_counts where needs_look) as some'),
    );
    return { again, ...(waiting!.some ? { wakeInMs: HORIZON_RETRY_MS } : {}) };
  }
}

/** In a transaction of its own: schedules are locked before what they count everywhere else. */
async function takeHorizons(sql: Sql): Promise<void> {
  await sql.query(
    `delete from upstream_counts c using schedules s where c.needs_look and s.id = c.schedule_id and (not s.enabled or s.removed_at is not null)`,
  );
  await sql.query(
    `update upstream_counts c set horizon = pg_current_xact_id() from (
       select schedule_id from upstream_counts where needs_look and horizon is null order by schedule_id for update skip locked
     ) waiting where c.schedule_id = waiting.schedule_id`,
  );
}

async function look(sql: Sql): Promise<{ schedules: LockedUpstreamRow[]; isReady: boolean; again: boolean }> {
  const arrived = await sql.query<{ workflow_id: string }>(claimArrivals, [MOST_ARRIVALS]);
  const workflowIds = [...new Set(arrived.map(({ workflow_id }) => workflow_id))];
  const locked = await sql.query<{ id: string }>(lockConcerned, [workflowIds]);
  const schedules = locked.length === 0 ? [] : await sql.query<LockedUpstreamRow>(readLocked, [locked.map(({ id }) => id)]);
  let isReady = false;
  for (const row of schedules) isReady = (await lookAtSchedule(sql, row)) || isReady;
  return { schedules, isReady, again: arrived.length >= MOST_ARRIVALS };
}
