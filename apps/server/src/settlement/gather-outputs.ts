import { maxGatheredBytes, maxOutputs } from '@medley/core';
import type { Sql } from '@medley/database';

/** Why the outputs of a mapped task's items cannot be kept together. */
export interface TooMuchGathered {
  code: 'gathered-too-large' | 'gathered-too-many';
  text: string;
  values: { count: number; limit: number };
}

const items = `
items as (
  select i.item, o.outputs from task_runs p join task_runs i on i.run_id = p.run_id and i.position = p.position and i.item >= 0
  left join task_outputs o on o.task_run_id = i.id and o.fence = i.fence where p.id = $1
), names as (select distinct n.name from items, jsonb_object_keys(items.outputs) as n(name))`;

// The nulls in the lists are kept too: each takes the 6 bytes of `null, `.
const sizeStatement = `with ${items}, given as (
  select count(*) as items, sum(octet_length(outputs::text)) as bytes, sum((select count(*) from jsonb_object_keys(outputs))) as values from items
), named as (select count(*) as names from names)
select (coalesce(g.bytes, 0) + (g.items * n.names - coalesce(g.values, 0)) * 6)::float8 as bytes, n.names::int as names from given g, named n`;

// A name that an item did not give is null in its place.
const gatherStatement = `with ${items}
insert into task_outputs (task_run_id, fence, outputs)
select p.id, p.fence, (select jsonb_object_agg(n.name, (select jsonb_agg(items.outputs -> n.name order by items.item) from items)) from names n)
from task_runs p where p.id = $1 and exists (select from names)
on conflict (task_run_id, fence) do update set outputs = excluded.outputs`;

/**
 * Keeps what the items of a mapped task gave as what the task gives: for each name a list with one value per item, in their order. Says
 * what is too much instead, and keeps nothing then.
 */
export async function gatherOutputs(sql: Sql, parentId: string): Promise<TooMuchGathered | null> {
  const [size] = await sql.query<{ bytes: number; names: number }>(sizeStatement, [parentId]);
  const { bytes, names } = size!;
  if (names > maxOutputs) {
    const text = `Its items gave outputs of ${names} names together, more than the ${maxOutputs} that are kept.`;
    return { code: 'gathered-too-many', text, values: { count: names, limit: maxOutputs } };
  }
  if (bytes > maxGatheredBytes) {
    const text = `The outputs of its items take ${bytes} bytes together, more than the ${maxGatheredBytes} that are kept.`;
    return { code: 'gathered-too-large', text, values: { count: bytes, limit: maxGatheredBytes } };
  }
  if (names > 0) await sql.query(gatherStatement, [parentId]);
  return null;
}

// A task above may take outputs of any task of a run within it.
const namedStatement = `
select exists (
  select 1 from task_runs p join runs r on r.id = p.run_id left join runs above on above.id = r.parent_run_id
  join workflow_versions v on v.workflow_id = r.workflow_id and v.version = r.workflow_version
    or v.workflow_id = above.workflow_id and v.version = above.workflow_version
  where p.id = $1 and position('tasks.' || p.task_key || '.outputs' in v.spec::text) > 0
) as named`;

/** Whether some task names outputs of this one, of its workflow or of one that runs it. */
export async function areOutputsNamed(sql: Sql, taskRunId: string): Promise<boolean> {
  const [found] = await sql.query<{ named: boolean }>(namedStatement, [taskRunId]);
  return found!.named;
}
