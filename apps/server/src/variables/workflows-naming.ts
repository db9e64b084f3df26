import type { VariableUses } from '@medley/contracts';
import type { Sql } from '@medley/database';

const MAX_USES = 50;

/** Workflows of a project whose present version holds a name such as `variables.lake`. */
export async function readWorkflowsNaming(sql: Sql, projectId: string, path: string): Promise<Omit<VariableUses, 'name'>> {
  const rows = await sql.query<{ id: string; name: string }>(
    `select w.id, w.name from workflows w join workflow_versions v on v.workflow_id = w.id and v.version = w.latest_version
     where w.project_id = $1 and v.spec::text ~ $2 order by w.name limit ${MAX_USES + 1}`,
    [projectId, `${path.replaceAll('.', '\\.')}(?![A-Za-z0-9_-])`],
  );
  return { workflows: rows.slice(0, MAX_USES), isMore: rows.length > MAX_USES };
}
