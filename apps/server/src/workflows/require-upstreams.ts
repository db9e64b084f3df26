import type { ScheduleSpec, WorkflowSpec } from '@medley/contracts';
import { AppError, decideInProject, fieldError, type Phrase, phrase } from '@medley/core';
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

/** The names on the way from a workflow over what its schedules wait for to another; null when there is no way. */
async function findCycle(sql: Sql, fromId: string, toId: string): Promise<string[] | null> {
  const [row] = await sql.query<{ path: string[] }>(
    `with recursive way as (
       select w.id, array[w.id] as ids, array[w.name] as path from workflows w where w.id = $1
       union all
       select w.id, way.ids || w.id, way.path || w.name from way
       join schedules s on s.workflow_id = way.id and s.removed_at is null join schedule_upstreams u on u.schedule_id = s.id and not u.is_self
       join workflows w on w.id = u.workflow_id where way.id <> $2 and not w.id = any(way.ids)
     ) select path from way where id = $2 limit 1`,
    [fromId, toId],
  );
  return row?.path ?? null;
}
