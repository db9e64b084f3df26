import type { LimitUse, TaskSpec } from '@medley/contracts';
import { AppError, fieldError, type LimitTake, phrase } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';

interface LimitRow {
  id: string;
  projectId: string | null;
  kind: LimitUse['kind'];
  name: string;
}

const noTakes: readonly LimitTake[] = [];

/** What the tasks of new runs take, by the ids of limits. A project's own limit comes before one of the platform with the same name. */
export class ResolvedLimits {
  private readonly byName = new Map<string, string>();

  constructor(rows: readonly LimitRow[]) {
    for (const { id, projectId, kind, name } of rows) this.byName.set(`${projectId ?? ''} ${kind} ${name}`, id);
  }

  /** In the order of ids, as they are taken. Throws workflow-invalid for a limit that does not exist. */
  takesOf(projectId: string, task: TaskSpec): readonly LimitTake[] {
    const { limits } = task;
    if (limits === undefined) return noTakes;
    const takes = limits.map((use) => ({ limit: this.idOf(projectId, task.key, use), slots: use.slots }));
    return takes.sort((left, right) => (left.limit < right.limit ? -1 : 1));
  }

  private idOf(projectId: string, key: string, { kind, name }: LimitUse): string {
    const id = this.byName.get(`${projectId} ${kind} ${name}`) ?? this.byName.get(` ${kind} ${name}`);
    if (id !== undefined) return id;
    const fields = [fieldError(`tasks.${key}.limits`, phrase('limit-unknown', { limit: name, hint: '' }))];
    throw new AppError('workflow-invalid', phrase('limit-of-task-missing', { limit: name }), fields);
  }
}

/** Reads the limits that such runs name, and makes the mutexes among them; asks nothing where no task takes any. */
export async function resolveLimits(
  sql: Sql,
  runs: readonly { projectId: string; tasks: readonly Pick<TaskSpec, 'limits'>[] }[],
): Promise<ResolvedLimits> {
  const named = runs.flatMap(({ projectId, tasks }) => tasks.flatMap(({ limits = [] }) => limits.map((use) => ({ projectId, ...use }))));
  if (named.length === 0) return new ResolvedLimits([]);
  const mutexes = new Map(named.filter(({ kind }) => kind === 'mutex').map((use) => [`${use.projectId} ${use.name}`, use]));
  await makeMutexes(sql, [...mutexes.values()]);
  const rows = await sql.query<LimitRow>(
    `select id, project_id as "projectId", kind, name from limits
     where removed_at is null and (project_id is null or project_id = any($1)) and name = any($2)`,
    [[...new Set(named.map(({ projectId }) => projectId))], [...new Set(named.map(({ name }) => name))]],
  );
  return new ResolvedLimits(rows);
}

/** A mutex needs no declaration: it is there from its first use on. In name order, so that two creators never wait for each other crosswise. */
async function makeMutexes(sql: Sql, uses: readonly { projectId: string; name: string }[]): Promise<void> {
  if (uses.length === 0) return;
  const inOrder = [...uses].sort((left, right) => (`${left.projectId} ${left.name}` < `${right.projectId} ${right.name}` ? -1 : 1));
  await sql.query(
    `insert into limits (id, project_id, kind, name, slots) select id, project_id, 'mutex', name, 1
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as m(id, project_id, name)
     where not exists (select 1 from limits l where l.project_id = m.project_id and l.kind = 'mutex' and l.name = m.name and l.removed_at is null)
     on conflict do nothing`,
    [inOrder.map(() => uuidv7()), inOrder.map(({ projectId }) => projectId), inOrder.map(({ name }) => name)],
  );
}
