import type {
  CreateLimit,
  LimitDetail,
  LimitHolderView,
  LimitQuery,
  LimitView,
  LimitWaiterView,
  Page,
  PatchLimit,
} from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { placeableOrder, placeableOrderOf } from '../passes/place.snapshot.js';
import { answerRow } from '../rest/answer-row.js';
import { listKind } from '../rest/cursor.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../rest/sorted-list.js';

const MAX_SHOWN = 100;

/** Where a limit is: in a project, or null for the platform. */
export type LimitPlace = string | null;

// Who may start and takes the limit: per pool and shape by the index of placement.
const queueOf = `
limit_shapes s cross join pools q join task_runs t on t.pool_id = q.id and t.shape_hash = s.shape_hash and t.state in ('ready', 'blocked')
where s.limit_id = l.id`;

const limitColumns = `
l.id, l.project_id as "projectId", p.name as project, l.kind, l.name, l.description, l.slots,
case when l.rate_starts is not null then json_build_object('starts', l.rate_starts, 'seconds', l.rate_seconds) end as rate,
h.taken, h.count as "holderCount", (select count(*)::int from ${queueOf}) as "waitingCount", l.created_at as "createdAt", l.updated_at as "updatedAt"`;

const limitFrom = `
limits l left join projects p on p.id = l.project_id
cross join lateral (select coalesce(sum(slots), 0)::int as taken, count(*)::int as count from limit_holders where limit_id = l.id and freed_at is null) h`;

// A blank stands before every letter of a name, so that those of the platform are first.
const sortColumns: Record<string, SortColumn> = {
  place: { sql: `(coalesce(l.project, '') || ' ' || l.name) collate "C"`, type: 'text' },
  name: { sql: 'l.name', type: 'text' },
  slots: { sql: 'coalesce(l.slots, 999999999)', type: 'int' },
  taken: { sql: 'l.taken', type: 'int' },
  waiting: { sql: 'l."waitingCount"', type: 'int' },
};

export async function listLimits(sql: Sql, query: LimitQuery, projects: VisibleProjects): Promise<Page<LimitView>> {
  const kind = listKind('limits', query);
  const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'l.id' });
  const rows = await sql.query<SortedRow>(
    `select l.*, ${order.select} as "sortText" from (
       select ${limitColumns} from ${limitFrom}
       where l.removed_at is null and p.removed_at is null and (l.project_id is null or $1::uuid[] is null or l.project_id = any($1))
         and ($2::uuid is null or l.project_id = $2 or l.project_id is null)
     ) l where ${order.after(3, 4)} order by ${order.orderBy} limit $5`,
    [projects, query.projectId ?? null, ...order.position, query.limit + 1],
  );
  return pageOfSorted(rows, query.limit, kind, (row) => answerRow<LimitView>(row));
}

const holdersQuery = `
select a.id as "attemptId", a.task_run_id as "taskRunId", a.run_id as "runId", w.name as workflow, t.task_key as task, p.name as project, h.slots, a.state,
  n.name as node, h.taken_at as "takenAt"
from limit_holders h join attempts a on a.id = h.attempt_id join task_runs t on t.id = a.task_run_id join runs r on r.id = a.run_id
join workflows w on w.id = r.workflow_id join projects p on p.id = r.project_id join nodes n on n.id = a.node_id
where h.limit_id = $1 and h.freed_at is null and ($2::uuid[] is null or r.project_id = any($2)) order by h.taken_at, a.id limit ${MAX_SHOWN}`;

// A bounded number of each pool and shape, in the order of placement; then those in that order.
const queueQuery = `
select t.id as "taskRunId", t.run_id as "runId", w.name as workflow, t.task_key as task, p.name as project, s.slots, t.state, t.reason->>'code' as code, t.priority,
  t.ready_at as "readyAt"
from limit_shapes s cross join pools q cross join lateral (
  select * from task_runs where pool_id = q.id and shape_hash = s.shape_hash and state in ('ready', 'blocked') ${placeableOrder} limit ${MAX_SHOWN}
) t join runs r on r.id = t.run_id join workflows w on w.id = r.workflow_id join projects p on p.id = r.project_id
where s.limit_id = $1 and ($2::uuid[] is null or r.project_id = any($2)) ${placeableOrderOf('t')} limit ${MAX_SHOWN}`;

const hiddenQuery = `
select
  (select count(*)::int from limit_holders h join attempts a on a.id = h.attempt_id join runs r on r.id = a.run_id
   where h.limit_id = l.id and h.freed_at is null and not r.project_id = any($2)) as holders,
  (select count(*)::int from limit_shapes s cross join pools q join task_runs t on t.pool_id = q.id and t.shape_hash = s.shape_hash and t.state in ('ready', 'blocked')
   join runs r on r.id = t.run_id where s.limit_id = l.id and not r.project_id = any($2)) as waiting
from limits l where l.id = $1`;

const startedQuery = `
select count(*)::int as started from limits l join limit_holders h on h.limit_id = l.id and h.taken_at > clock_timestamp() - make_interval(secs => l.rate_seconds)
where l.id = $1`;

/** With who holds it and who waits, of the projects that the caller may see. Throws not-found. */
export async function getLimit(sql: Sql, id: string, place: LimitPlace, visible: VisibleProjects): Promise<LimitDetail> {
  const [row] = await sql.query<object>(
    `select ${limitColumns} from ${limitFrom} where l.id = $1 and l.project_id is not distinct from $2 and l.removed_at is null`,
    [id, place],
  );
  if (!row) throw limitNotFound();
  const [holders, queue, hidden, started] = await Promise.all([
    sql.query<object>(holdersQuery, [id, visible]),
    sql.query<object>(queueQuery, [id, visible]),
    visible === null ? [] : sql.query<{ holders: number; waiting: number }>(hiddenQuery, [id, visible]),
    sql.query<{ started: number }>(startedQuery, [id]),
  ]);
  const limit = answerRow<LimitView>(row);
  return {
    ...limit,
    holders: holders.map((each) => answerRow<LimitHolderView>(each)),
    queue: queue.map((each) => answerRow<LimitWaiterView>(each)),
    hiddenHolders: hidden[0]?.holders ?? 0,
    hiddenWaiting: hidden[0]?.waiting ?? 0,
    started: limit.rate === null ? null : started[0]!.started,
  };
}

export async function insertLimit(sql: Sql, place: LimitPlace, { name, description, slots, rate }: CreateLimit): Promise<string> {
  const id = uuidv7();
  await sql.query(
    `insert into limits (id, project_id, kind, name, description, slots, rate_starts, rate_seconds) values ($1, $2, 'limit', $3, $4, $5, $6, $7)`,
    [id, place, name, description, slots, rate?.starts ?? null, rate?.seconds ?? null],
  );
  return id;
}

interface LockedLimit {
  kind: 'limit' | 'mutex';
  name: string;
  description: string;
  slots: number | null;
  rate: { starts: number; seconds: number } | null;
}

/** Throws not-found. */
export async function lockLimit(sql: Sql, id: string, place: LimitPlace): Promise<LockedLimit> {
  const [row] = await sql.query<LockedLimit>(
    `select kind, name, description, slots, case when rate_starts is not null then json_build_object('starts', rate_starts, 'seconds', rate_seconds) end as rate
     from limits where id = $1 and project_id is not distinct from $2 and removed_at is null for update`,
    [id, place],
  );
  if (!row) throw limitNotFound();
  return row;
}

export async function updateLimit(sql: Sql, id: string, { description, slots, rate }: Required<PatchLimit>): Promise<void> {
  await sql.query(
    'update limits set description = $2, slots = $3, rate_starts = $4, rate_seconds = $5, updated_at = clock_timestamp() where id = $1',
    [id, description, slots, rate?.starts ?? null, rate?.seconds ?? null],
  );
}

interface LimitUses {
  holders: number;
  waiting: number;
  workflows: string[];
}

/** What stands in the way of removing a limit: who holds it, who waits for it, and the workflows whose newest version names it. */
export async function usesOfLimit(sql: Sql, id: string, { kind, name }: LockedLimit, place: LimitPlace): Promise<LimitUses> {
  const [uses] = await sql.query<LimitUses>(
    `select (select count(*)::int from limit_holders where limit_id = l.id and freed_at is null) as holders, (select count(*)::int from ${queueOf}) as waiting,
       array(select w.name from workflows w join workflow_versions v on v.workflow_id = w.id and v.version = w.latest_version
         join projects p on p.id = w.project_id and p.removed_at is null
         where ($3::uuid is null or w.project_id = $3) and v.spec->'tasks' @> $2::jsonb order by w.name limit 3) as workflows
     from limits l where l.id = $1`,
    [id, JSON.stringify([{ limits: [{ kind, name }] }]), place],
  );
  return uses!;
}

function limitNotFound(): AppError {
  return new AppError('not-found', phrase('no-such-limit'));
}
