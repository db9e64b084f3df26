import { type Page, type RunEvent, type RunEventKind, type RunHistoryQuery, runEventKindSchema } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { answerRow } from '../rest/answer-row.js';
import { decodeCursor, listKind, pageOfRows } from '../rest/cursor.js';
import { hasCancelled, hasSteered } from './run-canceller.js';
import { taskRunReason } from './task-run-columns.js';

const rankOf = (kind: RunEventKind) => runEventKindSchema.options.indexOf(kind);

interface EventSource {
  kind: RunEventKind;
  /** Tables behind `from`; `r` is the run. */
  from: string;
  at: string;
  thing: string;
  data: string;
  /** Where it is there at all. */
  where?: string;
  /** Where it is there in the compact history as well; absent: nowhere. */
  compact?: string;
}

const ofRun = 'r left join users u on u.id = r.created_by left join schedules s on s.id = r.schedule_id';
const ofTask = 'r join task_runs t on t.run_id = r.id';
const ofAttempt = `${ofTask} join attempts a on a.task_run_id = t.id join nodes n on n.id = a.node_id`;
const ending = `'number', a.fence, 'node', n.name, 'state', a.state, 'exitCode', a.exit_code, 'signal', a.signal, 'detail', a.detail, 'explanation', a.explanation`;
const next = `left join lateral (select dispatched_at from attempts where task_run_id = t.id and fence > a.fence order by fence limit 1) f on true`;

/** Events are not stored: each is read from the row that it left its trace in; who asked for a cancel is told by the audit, for as long as that is kept. */
const sources: readonly EventSource[] = [
  {
    kind: 'run-created',
    from: ofRun,
    at: 'r.created_at',
    thing: 'r.id',
    data: `'trigger', r.trigger, 'by', u.name, 'schedule', s.name, 'fireAt', r.fire_at, 'rerunOf', r.rerun_of, 'version', r.workflow_version, 'tasks', r.task_count, 'parentRunId', r.parent_run_id,
      'parentWorkflow', (select w.name from runs p join workflows w on w.id = p.workflow_id where p.id = r.parent_run_id)`,
    compact: 'true',
  },
  { kind: 'run-started', from: 'r', at: 'r.started_at', thing: 'r.id', data: '', compact: 'true' },
  { kind: 'run-ended', from: 'r', at: 'r.finished_at', thing: 'r.id', data: `'state', r.state, 'reason', r.reason`, compact: 'true' },
  {
    kind: 'cancel-requested',
    from: `r join audit_events e on e.entity_id = r.id and ${hasCancelled('e')}`,
    at: 'e.at',
    thing: 'e.id',
    data: `'by', e.actor_name, 'many', coalesce(e.after ? 'bulk', false)`,
    compact: 'true',
  },
  ...(['pauseRun', 'resumeRun'] as const).map(
    (action): EventSource => ({
      kind: action === 'pauseRun' ? 'run-paused' : 'run-resumed',
      from: `r join audit_events e on e.entity_id = r.id and ${hasSteered('e', action)}`,
      at: 'e.at',
      thing: 'e.id',
      data: `'by', e.actor_name`,
      compact: 'true',
    }),
  ),
  {
    kind: 'rerun-created',
    from: 'r join runs x on x.rerun_of = r.id left join users u on u.id = x.created_by',
    at: 'x.created_at',
    thing: 'x.id',
    data: `'runId', x.id, 'by', u.name`,
    compact: 'true',
  },
  { kind: 'task-ready', from: ofTask, at: 't.ready_at', thing: 't.id', data: '' },
  {
    kind: 'child-started',
    from: 'r join runs c on c.parent_run_id = r.id join task_runs t on t.id = c.parent_task_run_id join workflows w on w.id = c.workflow_id',
    at: 'c.created_at',
    thing: 'c.id',
    data: `'runId', c.id, 'workflow', w.name, 'version', c.workflow_version`,
    compact: 'true',
  },
  {
    kind: 'attempt-dispatched',
    from: ofAttempt,
    at: 'a.dispatched_at',
    thing: 'a.id',
    data: `'number', a.fence, 'fence', a.fence, 'node', n.name, 'prefetched', a.prefetched`,
  },
  {
    kind: 'attempt-claimed',
    from: ofAttempt,
    at: 'a.claimed_at',
    thing: 'a.id',
    data: `'number', a.fence, 'node', n.name, 'carrier', a.carrier, 'sends', a.send_no, 'waitedSeconds', round(extract(epoch from a.claimed_at - a.dispatched_at), 3)`,
  },
  { kind: 'attempt-started', from: ofAttempt, at: 'a.started_at', thing: 'a.id', data: `'number', a.fence, 'node', n.name` },
  {
    kind: 'attempt-stopping',
    from: ofAttempt,
    at: 'a.stopping_at',
    thing: 'a.id',
    data: `'number', a.fence, 'node', n.name, 'cause', a.stop_reason`,
    compact: 'true',
  },
  { kind: 'attempt-ended', from: ofAttempt, at: 'a.finished_at', thing: 'a.id', data: ending, compact: `a.state <> 'succeeded'` },
  {
    kind: 'retry-planned',
    from: `${ofAttempt} ${next}`,
    at: 'a.finished_at',
    thing: 'a.id',
    data: `'number', a.fence, 'retryAt', coalesce(f.dispatched_at, t.retry_at)`,
    where: `a.state not in ('succeeded', 'cancelled') and (f.dispatched_at is not null or t.state = 'retry-wait')`,
    compact: 'true',
  },
  {
    kind: 'task-ended',
    from: ofTask,
    at: 't.finished_at',
    thing: 't.id',
    data: `'state', t.state, 'tries', t.tries, 'keptFrom', t.kept_from, 'reason', ${taskRunReason.replace(/ as reason$/, '')}`,
    compact: 'true',
  },
];

/** One part of the union; $1 is the run. */
function partOf(source: EventSource, level: RunHistoryQuery['level']): string | null {
  const wanted = level === 'compact' ? source.compact : 'true';
  if (wanted === undefined) return null;
  const isOfTask = source.from.includes('task_runs');
  const isOfAttempt = source.from.includes('attempts a');
  const conditions = [`r.id = $1`, `${source.at} is not null`, source.where ?? 'true', wanted].filter((each) => each !== 'true');
  return `select ${source.at} as at, ${rankOf(source.kind)} as rank, '${source.kind}' as kind, ${source.thing} as thing,
    ${isOfTask ? 't.id' : 'null::uuid'} as "taskRunId", ${isOfTask ? 't.task_key' : 'null::text'} as "taskKey", ${isOfAttempt ? 'a.id' : 'null::uuid'} as "attemptId",
    jsonb_build_object(${source.data}) as data from runs ${source.from} where ${conditions.join(' and ')}`;
}

const statementOf = (level: RunHistoryQuery['level'], order: RunHistoryQuery['order']) => {
  const parts = sources.flatMap((source) => partOf(source, level) ?? []);
  const [sign, direction] = order === 'oldest' ? ['>', ''] : ['<', ' desc'];
  return `select e.*, (extract(epoch from e.at) * 1000000)::bigint as micros from (${parts.join(' union all ')}) e
    where $2::bigint is null or ((extract(epoch from e.at) * 1000000)::bigint, e.rank, e.thing) ${sign} ($2, $3::int, $4::uuid)
    order by e.at${direction}, e.rank${direction}, e.thing${direction} limit $5`;
};

/** What happened in a run, by time; things of one instant in the order in which they follow from each other. */
export async function getRunHistory(sql: Sql, runId: string, query: RunHistoryQuery): Promise<Page<RunEvent>> {
  const kind = listKind('run-history', { ...query, runId });
  const after = decodeCursor(kind, query.cursor, 3);
  if (after && !(/^\d{1,18}$/.test(after[0]!) && /^\d{1,3}$/.test(after[1]!) && /^[0-9a-f-]{36}$/.test(after[2]!)))
    throw new AppError('cursor-invalid', phrase('cursor-leave-out'));
  const position = after ?? [null, null, null];
  const rows = await sql.query<EventRow>(statementOf(query.level, query.order), [runId, ...position, query.limit + 1]);
  return pageOfRows(
    rows,
    query.limit,
    kind,
    ({ micros, rank, thing }) => [micros, String(rank), thing],
    ({ micros: _micros, rank: _rank, thing, ...row }) => answerRow<RunEvent>({ id: `${row.kind}:${thing}`, ...row }),
  );
}

interface EventRow extends Omit<RunEvent, 'id' | 'at'> {
  at: Date;
  micros: string;
  rank: number;
  thing: string;
}
