import { holdsNoSlot, type MapSpec, maxMapItems } from '@medley/contracts';
import { AppError, type ExpressionValue, findExpressions, phrase, renderValue } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import { POOL_REMOVAL_LOCK } from '../pools/remove-pool.js';
import { readContext } from './read-context.js';
import type { UnplacedStep, UnplacedTaskRun } from './unplaced.types.js';

/** Makes one task run per item of a mapped task; the first of them may begin at once. Without items there is nothing to do. */
export async function beginMap(sql: Sql, taskRun: UnplacedTaskRun, map: MapSpec): Promise<UnplacedStep> {
  if (taskRun.state !== 'ready') return { to: 'stay' };
  const items = await itemsOf(sql, taskRun, map);
  if (items.length === 0) return { to: 'succeeded', reason: { code: 'no-items', text: 'Its list was empty: there was nothing to do.' } };
  const begun = Math.min(items.length, map.parallel ?? items.length);
  await insertInstances(sql, taskRun, items, begun);
  return { to: 'running', reason: null, lookInSeconds: null };
}

async function itemsOf(sql: Sql, taskRun: UnplacedTaskRun, { over }: MapSpec): Promise<ExpressionValue[]> {
  const value = typeof over === 'string' ? await listOf(sql, taskRun, over) : over;
  if (!Array.isArray(value)) throw new AppError('reference-invalid', phrase('map-over-no-list', { over: String(over).slice(0, 60) }));
  if (value.length > maxMapItems)
    throw new AppError('reference-invalid', phrase('map-over-too-long', { count: value.length, limit: maxMapItems }));
  return value;
}

async function listOf(sql: Sql, taskRun: UnplacedTaskRun, over: string): Promise<ExpressionValue> {
  const references = findExpressions(over).expressions.flatMap(({ expression }) => expression.references);
  return renderValue(over, await readContext(sql, taskRun, references));
}

// They ask of a node what their task asks. Its deadline is one for all of them together, and no longer its own.
const insertStatement = `
insert into task_runs (id, run_id, task_key, position, state, pool_id, shape_hash, priority, rank, expected_seconds, timeout_seconds, ready_at, deadline_at, parent_id, item, item_value)
select i.id, t.run_id, t.task_key, t.position, case when i.item < $4 then 'ready' else 'waiting' end, $5, t.shape_hash, t.priority, t.rank, t.expected_seconds,
  t.timeout_seconds, case when i.item < $4 then clock_timestamp() end, t.deadline_at, t.id, i.item, i.value
from task_runs t cross join (select id, ordinality::int - 1 as item, value from unnest($2::uuid[], $3::jsonb[]) with ordinality as u(id, value, ordinality)) i
where t.id = $1`;

async function insertInstances(
  sql: Sql,
  { id, run, task }: UnplacedTaskRun,
  items: readonly ExpressionValue[],
  begun: number,
): Promise<void> {
  const poolId = holdsNoSlot(task) ? null : await poolIdOf(sql, task.pool);
  await sql.query(insertStatement, [id, items.map(() => uuidv7()), items.map((item) => JSON.stringify(item)), begun, poolId]);
  await sql.query('update task_runs set deadline_at = null where id = $1', [id]);
  await sql.query('insert into task_parts (task_run_id, total, begun) values ($1, $2, $3)', [id, items.length, begun]);
  await sql.query('update runs set open_tasks = open_tasks + $2 where id = $1', [run.id, items.length]);
}

export async function poolIdOf(sql: Sql, name: string): Promise<string> {
  await sql.query('select pg_advisory_xact_lock_shared($1)', [POOL_REMOVAL_LOCK]);
  const [pool] = await sql.query<{ id: string }>('select id from pools where name = $1 and removed_at is null', [name]);
  if (!pool) throw new AppError('workflow-invalid', phrase('pool-removed-meanwhile', { pool: name }));
  return pool.id;
}
