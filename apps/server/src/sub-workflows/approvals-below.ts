import { maxNesting, type TaskSpec } from '@medley/contracts';
import type { Sql } from '@medley/database';
import type { Pins } from './workflow-calls.js';

const statement = `
with recursive reached (key, id, version, depth) as (
  select a.key, w.id, coalesce(nullif(a.version, 0), ($5::jsonb->>w.id::text)::int, w.latest_version), 1
  from unnest($2::text[], $3::text[], $4::int[]) as a(key, name, version) join workflows w on w.project_id = $1 and w.name = a.name
  union
  select r.key, w.id, coalesce(nullif(c.callee_version, 0), ($5::jsonb->>w.id::text)::int, w.latest_version), r.depth + 1
  from reached r join workflow_calls c on c.workflow_id = r.id and c.version = r.version join workflows w on w.id = c.callee_id where r.depth <= ${maxNesting}
)
select distinct r.key from reached r join workflow_versions v on v.workflow_id = r.id and v.version = r.version
where jsonb_path_exists(v.spec, '$.tasks[*] ? (@.kind == "approval")')`;

/** Keys of those of these tasks that run a workflow in which, however deep, somebody has to approve; `pins` are those of their run. */
export async function tasksWithApprovalBelow(
  sql: Sql,
  projectId: string,
  pins: Pins | null,
  tasks: readonly TaskSpec[],
): Promise<Set<string>> {
  const calling = tasks.flatMap(({ key, subWorkflow }) => (subWorkflow ? [{ key, ...subWorkflow }] : []));
  if (calling.length === 0) return new Set();
  const rows = await sql.query<{ key: string }>(statement, [
    projectId,
    calling.map(({ key }) => key),
    calling.map(({ workflow }) => workflow),
    calling.map(({ version }) => version ?? 0),
    JSON.stringify(pins ?? {}),
  ]);
  return new Set(rows.map(({ key }) => key));
}
