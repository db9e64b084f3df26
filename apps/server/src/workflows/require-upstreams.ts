import type { ScheduleSpec, WorkflowSpec } from '@medley/contracts';
import { AppError, decideInProject, fieldError, type Phrase, pathTo, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import type { Caller } from '../access/caller.js';
import { findProjectByName } from '../projects/projects.repository.js';

interface AppliedFile {
  /** Null for a workflow that is to be created. */
  workflowId: string | null;
  spec: WorkflowSpec;
}

interface NamedUpstream {
  schedule: string;
  position: number;
  /** As the file has it. */
  name: string;
  project: string;
  workflow: string;
}

/**
 * The workflows that schedules wait for, by schedule in the order of its rule; null stands for the schedule itself. Throws validation-failed with every one that is not there, which the
 * caller may not read, or which waits for this workflow in its turn.
 */
export async function requireUpstreams(
  sql: Sql,
  { workflowId, spec }: AppliedFile,
  caller: Caller,
): Promise<Map<string, (string | null)[]>> {
  const named = spec.schedules.flatMap((schedule) => upstreamsOf(schedule, spec.project));
  const found = new Map(
    spec.schedules.map(({ name, rule }) => [name, rule.kind === 'upstream' ? rule.upstreams.map((): string | null => null) : []]),
  );
  if (named.length === 0) return found;
  // Two workflows that come to wait for each other are seen by the second.
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('upstreams', 0))`);
  const faults: { at: NamedUpstream; text: Phrase; expected: Phrase }[] = [];
  for (const at of named) {
    const id = await findWorkflow(sql, at, caller);
    if (id === null) faults.push({ at, text: phrase('upstream-unknown', { name: at.name }), expected: phrase('upstream-unknown-form') });
    else found.get(at.schedule)![at.position] = id;
    const cycle = id === null || workflowId === null ? null : await findCycle(sql, id, workflowId);
    if (cycle) faults.push({ at, text: phrase('upstream-cycle', { path: cycle.join(' → ') }), expected: phrase('upstream-cycle-form') });
  }
  if (faults.length === 0) return found;
  throw new AppError(
    'validation-failed',
    faults[0]!.text,
    faults.map(({ at, text, expected }) => fieldError(`schedules.${at.schedule}.upstream.${at.position}.workflow`, text, expected)),
  );
}

function upstreamsOf({ name: schedule, rule }: ScheduleSpec, own: string): NamedUpstream[] {
  if (rule.kind !== 'upstream') return [];
  return rule.upstreams.flatMap(({ project, workflow }, position) =>
    workflow === null
      ? []
      : [{ schedule, position, workflow, project: project ?? own, name: project === null ? workflow : `${project}/${workflow}` }],
  );
}

/** One that the caller may not read is as good as none. */
async function findWorkflow(sql: Sql, { project, workflow }: NamedUpstream, caller: Caller): Promise<string | null> {
  const owner = await findProjectByName(sql, project);
  if (!owner || !decideInProject(caller, 'workflow:read', owner.id).allowed) return null;
  const [row] = await sql.query<{ id: string }>('select id from workflows where project_id = $1 and name = $2', [owner.id, workflow]);
  return row?.id ?? null;
}

interface WaitRow {
  from_id: string;
  to_id: string;
  to_name: string;
}

// Each wait once, however many ways lead to it.
const waitsBehind = `
with recursive waits (from_id, to_id) as (
  select null::uuid, $1::uuid
  union
  select s.workflow_id, u.workflow_id from waits join schedules s on s.workflow_id = waits.to_id and s.removed_at is null
  join schedule_upstreams u on u.schedule_id = s.id and not u.is_self
)
select coalesce(from_id::text, '') as from_id, to_id, w.name as to_name from waits join workflows w on w.id = to_id`;

/** The names on the shortest way from a workflow over what its schedules wait for to another; null when there is no way. */
async function findCycle(sql: Sql, fromId: string, toId: string): Promise<string[] | null> {
  const rows = await sql.query<WaitRow>(waitsBehind, [fromId]);
  const names = new Map(rows.map(({ to_id, to_name }) => [to_id, to_name]));
  const way = pathTo(
    '',
    rows.map(({ from_id, to_id }) => ({ from: from_id, to: to_id })),
    (id) => id === toId,
  );
  return way?.slice(1).map((id) => names.get(id)!) ?? null;
}
