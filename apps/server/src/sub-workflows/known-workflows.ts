import { type KnownWorkflow, subWorkflowsOf } from '@medley/contracts';
import type { Sql } from '@medley/database';

const statement = `
select w.name, w.latest_version as latest,
  coalesce(json_agg(json_build_object('version', v.version, 'parameters', v.spec->'parameters', 'tasks', (select json_agg(t->>'key') from jsonb_array_elements(v.spec->'tasks') t)))
    filter (where v.version is not null), '[]') as versions
from projects p join workflows w on w.project_id = p.id
left join unnest($2::text[], $3::int[]) as asked(name, version) on asked.name = w.name
left join workflow_versions v on v.workflow_id = w.id and v.version = coalesce(asked.version, w.latest_version) and asked.name is not null
where p.name = $1 and p.removed_at is null group by w.id, w.name, w.latest_version`;

/** The workflows of a project, and of those that a document runs what each version it asks for declares. Undefined for a document that runs none. */
export async function readKnownWorkflows(sql: Sql, project: string, document: unknown): Promise<KnownWorkflow[] | undefined> {
  const asked = subWorkflowsOf(document);
  if (asked.length === 0) return undefined;
  return sql.query<KnownWorkflow>(statement, [project, asked.map(({ workflow }) => workflow), asked.map(({ version }) => version)]);
}
