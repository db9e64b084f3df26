import { maxNesting, type TaskSpec, type WorkflowSpec } from '@medley/contracts';
import { AppError, type FieldError, fieldError, nestingBelow, pathTo, phrase, type WorkflowCall } from '@medley/core';
import type { Sql } from '@medley/database';

/** A workflow that a version runs; version 0 is the latest. */
export interface Callee {
  id: string;
  version: number;
}

interface CallRow {
  from_id: string;
  from_version: number;
  from_name: string;
  to_id: string;
  to_version: number;
  to_name: string;
}

// A chain that is longer than the limit is cut just beyond it; that it goes on does not matter any more.
const callsBelow = `
with recursive reached (from_id, from_version, to_id, to_version, depth) as (
  select null::uuid, 0, w.id, coalesce(nullif(s.version, 0), w.latest_version), 1
  from unnest($1::uuid[], $2::int[]) as s(id, version) join workflows w on w.id = s.id
  union
  select r.to_id, r.to_version, w.id, coalesce(nullif(c.callee_version, 0), w.latest_version), r.depth + 1
  from reached r join workflow_calls c on c.workflow_id = r.to_id and c.version = r.to_version join workflows w on w.id = c.callee_id
  where r.depth <= ${maxNesting}
)
select distinct r.from_id, r.from_version, f.name as from_name, r.to_id, r.to_version, t.name as to_name
from reached r join workflows t on t.id = r.to_id left join workflows f on f.id = r.from_id`;

const namedBy = (task: TaskSpec) => task.subWorkflow!;

/** The workflows of a project that a specification runs, by name. Those that do not exist are left out. */
export async function findCallees(sql: Sql, projectId: string, { tasks }: WorkflowSpec): Promise<Callee[]> {
  const asked = tasks.filter((task) => task.subWorkflow).map(namedBy);
  if (asked.length === 0) return [];
  const rows = await sql.query<{ id: string; name: string }>('select id, name from workflows where project_id = $1 and name = any($2)', [
    projectId,
    [...new Set(asked.map(({ workflow }) => workflow))],
  ]);
  const byName = new Map(rows.map(({ id, name }) => [name, id]));
  const callees = asked.flatMap(({ workflow, version }) => {
    const id = byName.get(workflow);
    return id === undefined ? [] : [{ id, version: version ?? 0 }];
  });
  return [...new Map(callees.map((callee) => [`${callee.id} ${callee.version}`, callee])).values()];
}

/**
 * That a new version of a workflow never runs its own workflow again, by whatever way, and that it goes no deeper than runs may. Callers of one project do this one after the other, so that no two
 * of them close a circle together. Throws workflow-invalid.
 */
export async function requireNesting(
  sql: Sql,
  projectId: string,
  workflowId: string | null,
  spec: WorkflowSpec,
  callees: readonly Callee[],
): Promise<void> {
  if (callees.length === 0) return;
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`workflow calls ${projectId}`]);
  const rows = await sql.query<CallRow>(callsBelow, [callees.map(({ id }) => id), callees.map(({ version }) => version)]);
  const names = new Map(rows.map((row) => [keyOf(row.to_id, row.to_version), row.to_name]));
  const calls = rows.map(callOf);
  const circle = workflowId === null ? null : pathTo('', calls, (version) => version.startsWith(`${workflowId} `));
  if (circle !== null) {
    const path = [spec.workflow, ...circle.slice(1).map((version) => names.get(version)!)];
    throw refuse(spec, path[1]!, phrase('workflow-runs-itself', { path: path.join(' → ') }));
  }
  if (nestingBelow('', calls, maxNesting) <= maxNesting) return;
  const deepest = rows.filter((row) => row.from_id === null).find((row) => belowOne(row, calls) >= maxNesting)!;
  throw refuse(spec, deepest.to_name, phrase('workflows-nested-too-deep', { limit: maxNesting }));
}

function belowOne(row: CallRow, calls: readonly WorkflowCall[]): number {
  return nestingBelow(keyOf(row.to_id, row.to_version), calls, maxNesting);
}

function refuse({ tasks }: WorkflowSpec, workflow: string, fault: ReturnType<typeof phrase>): AppError {
  const faults = tasks.flatMap((task): FieldError[] =>
    task.subWorkflow?.workflow === workflow ? [fieldError(`${task.isFinal ? 'finally' : 'tasks'}.${task.key}.workflow`, fault)] : [],
  );
  return new AppError('workflow-invalid', fault, faults);
}

const keyOf = (id: string, version: number) => `${id} ${version}`;

function callOf({ from_id, from_version, to_id, to_version }: CallRow): WorkflowCall {
  return { from: from_id === null ? '' : keyOf(from_id, from_version), to: keyOf(to_id, to_version) };
}

/** Stores what a version runs. */
export async function writeCalls(sql: Sql, workflowId: string, version: number, callees: readonly Callee[]): Promise<void> {
  if (callees.length === 0) return;
  await sql.query(
    'insert into workflow_calls (workflow_id, version, callee_id, callee_version) select $1, $2, * from unnest($3::uuid[], $4::int[])',
    [workflowId, version, callees.map(({ id }) => id), callees.map(({ version: of }) => of)],
  );
}

/** Versions of workflows by the workflows' ids: those that `latest` stands for in a run and in all runs within it. */
export type Pins = Readonly<Record<string, number>>;

const pinsBelow = `
with recursive reached (root_id, root_version, id, version, is_latest, depth) as (
  select r.id, r.version, w.id, coalesce(nullif(c.callee_version, 0), w.latest_version), c.callee_version = 0, 1
  from unnest($1::uuid[], $2::int[]) as r(id, version) join workflow_calls c on c.workflow_id = r.id and c.version = r.version join workflows w on w.id = c.callee_id
  union
  select r.root_id, r.root_version, w.id, coalesce(nullif(c.callee_version, 0), w.latest_version), c.callee_version = 0, r.depth + 1
  from reached r join workflow_calls c on c.workflow_id = r.id and c.version = r.version join workflows w on w.id = c.callee_id where r.depth <= ${maxNesting}
)
select root_id, root_version, max(depth) as depth, coalesce(jsonb_object_agg(id, version) filter (where is_latest), '{}') as pins from reached group by root_id, root_version`;

/** What `latest` stands for from now on in runs of these versions, by `id version`; an error for one below which workflows run each other too deep. */
export async function readPins(sql: Sql, roots: readonly { id: string; version: number }[]): Promise<Map<string, Pins | AppError>> {
  if (roots.length === 0) return new Map();
  const distinct = [...new Map(roots.map((root) => [keyOf(root.id, root.version), root])).values()];
  const rows = await sql.query<{ root_id: string; root_version: number; depth: number; pins: Pins }>(pinsBelow, [
    distinct.map(({ id }) => id),
    distinct.map(({ version }) => version),
  ]);
  return new Map(
    rows.map(({ root_id, root_version, depth, pins }) => {
      const tooDeep = new AppError('workflow-invalid', phrase('workflows-nested-too-deep', { limit: maxNesting }));
      return [keyOf(root_id, root_version), depth > maxNesting ? tooDeep : pins];
    }),
  );
}
