import type { Backfill, BackfillFire, BackfillQuery, Page, PageQuery, StartBackfill } from '@medley/contracts';
import { AppError, localDate, phrase } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import { answerRow } from '../rest/answer-row.js';
import { decodeCursor, listKind, pageOfRows } from '../rest/cursor.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../rest/sorted-list.js';
import { localTime } from '../schedules/local-time.js';
import type { PlannedBackfill } from './plan-backfill.js';

const columns = `
b.id, b.project_id as "projectId", p.name as project, b.workflow_id as "workflowId", w.name as workflow, b.workflow_version as "workflowVersion",
b.schedule_id as "scheduleId", s.name as schedule, s.zone, b.from_at as "from", b.to_at as "to", b.fires, b.direction, b.parallel, b.parameters, b.state, b.reason,
u.name as "createdBy", b.created_at as "createdAt", b.finished_at as "finishedAt", b.total, b.started,
f.active, f.succeeded, f.failed, f.cancelled`;

/** To stand after the backfills, by the name of `b`. */
const from = `b join projects p on p.id = b.project_id join workflows w on w.id = b.workflow_id join schedules s on s.id = b.schedule_id join users u on u.id = b.user_id
cross join lateral (
  select count(*) filter (where finished_at is null)::int as active, count(*) filter (where state = 'succeeded')::int as succeeded,
    count(*) filter (where state = 'failed')::int as failed, count(*) filter (where state = 'cancelled')::int as cancelled
  from runs where trigger = 'backfill' and backfill_id = b.id
) f`;

interface BackfillRow extends Backfill {
  started: number;
}

function backfillOf(row: object): Backfill {
  const { started, ...backfill } = answerRow<BackfillRow>(row);
  const unstarted = backfill.total - started;
  const [waiting, left] = backfill.state === 'running' ? [unstarted, 0] : [0, unstarted];
  const there = backfill.active + backfill.succeeded + backfill.failed + backfill.cancelled;
  return { ...backfill, waiting, left, removed: started - there };
}

/** Writes down every fire, in the order in which they are to be started. */
export async function insertBackfill(
  sql: Sql,
  { schedule, range, chosen }: PlannedBackfill,
  asked: StartBackfill,
  userId: string,
): Promise<Backfill> {
  const id = uuidv7();
  await sql.query(
    `insert into backfills (id, project_id, schedule_id, workflow_id, workflow_version, user_id, from_at, to_at, fires, direction, parallel, parameters, total)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      ...[id, schedule.projectId, schedule.id, schedule.workflowId, schedule.version, userId],
      ...[new Date(range.fromMs), new Date(range.toMs), asked.fires, asked.direction, asked.parallel],
      ...[JSON.stringify(asked.parameters), chosen.length],
    ],
  );
  const ordered = asked.direction === 'newest-first' ? chosen.toReversed() : chosen;
  await sql.query(
    `insert into backfill_fires (backfill_id, position, fire_at)
     select $1, f.number - 1, f.at from unnest($2::timestamptz[]) with ordinality as f(at, number)`,
    [id, ordered.map((at) => new Date(at))],
  );
  if (schedule.kind === 'upstream') await takeDates(sql, schedule, chosen);
  return readBackfill(sql, id);
}

/** Dates that a backfill starts are not started again by their upstreams. */
async function takeDates(sql: Sql, { id, zone }: PlannedBackfill['schedule'], chosen: readonly number[]): Promise<void> {
  await sql.query('select 1 from schedules where id = $1 for no key update', [id]);
  await sql.query(
    `insert into upstream_dates (schedule_id, day, fire_at, fired_at) select $1, d, f, clock_timestamp() from unnest($2::date[], $3::timestamptz[]) as b(d, f)
     on conflict (schedule_id, day) do update set fired_at = coalesce(upstream_dates.fired_at, excluded.fired_at)`,
    [id, chosen.map((at) => localDate(at, zone)), chosen.map((at) => new Date(at))],
  );
}

/** Throws not-found. */
export async function readBackfill(sql: Sql, id: string): Promise<Backfill> {
  const [row] = await sql.query<object>(`select ${columns} from backfills ${from} where b.id = $1`, [id]);
  if (!row) throw new AppError('not-found', phrase('no-such-backfill'));
  return backfillOf(row);
}

const sortColumns: Record<string, SortColumn> = {
  created: { sql: 'b.created_at', type: 'timestamptz' },
  from: { sql: 'b.from_at', type: 'timestamptz' },
  state: { sql: 'b.state', type: 'text' },
  total: { sql: 'b.total', type: 'int' },
  createdBy: { sql: '(select name from users where id = b.user_id)', type: 'text' },
};

/** The page is cut before the runs of its backfills are counted. Throws cursor-invalid. */
export async function listBackfills(sql: Sql, scheduleId: string, query: BackfillQuery): Promise<Page<Backfill>> {
  const kind = listKind('backfills', { ...query, scheduleId });
  const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'b.id' });
  const rows = await sql.query<SortedRow>(
    `select ${columns}, ${order.select} as "sortText" from (
       select * from backfills b where b.schedule_id = $1 and ($2::text is null or b.state = $2) and ${order.after(3, 4)} order by ${order.orderBy} limit $5
     ) as ${from} order by ${order.orderBy}`,
    [scheduleId, query.state ?? null, ...order.position, query.limit + 1],
  );
  return pageOfSorted(rows, query.limit, kind, backfillOf);
}

export async function listFires(sql: Sql, backfillId: string, query: PageQuery): Promise<Page<BackfillFire>> {
  const kind = listKind('backfill-fires', { ...query, backfillId });
  const after = decodeCursor(kind, query.cursor, 1)?.[0] ?? '-1';
  if (!/^-?\d{1,9}$/.test(after)) throw new AppError('cursor-invalid', phrase('cursor-leave-out'));
  const rows = await sql.query<BackfillFire & { fireAt: Date; zone: string }>(
    `select f.position, f.fire_at as "fireAt", f.run_id as "runId", r.state as "runState", s.zone
     from backfills b join schedules s on s.id = b.schedule_id join backfill_fires f on f.backfill_id = b.id left join runs r on r.id = f.run_id
     where b.id = $1 and f.position > $2 order by f.position limit $3`,
    [backfillId, Number(after), query.limit + 1],
  );
  return pageOfRows(
    rows,
    query.limit,
    kind,
    ({ position }) => [String(position)],
    ({ zone, ...row }) => ({ ...answerRow<BackfillFire>(row), local: localTime(row.fireAt, zone) }),
  );
}

/** No more fires are started. Returns the runs under way; null when it is not running any more. */
export async function stopBackfill(sql: Sql, id: string): Promise<string[] | null> {
  // The pass holds the row while it starts runs, so that none is begun behind this.
  const stopped = await sql.query(`update backfills set state = 'cancelling' where id = $1 and finished_at is null returning id`, [id]);
  if (stopped.length === 0) return null;
  const rows = await sql.query<{ id: string }>(
    `select id from runs where trigger = 'backfill' and backfill_id = $1 and finished_at is null order by id`,
    [id],
  );
  return rows.map((row) => row.id);
}
