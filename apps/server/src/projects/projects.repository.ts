import type { ProjectImpact } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';

const NAMING_LOCK = 7_236_021;

/** The project of that name, or that had it before; a project that has it now comes first. */
export async function findProjectByName(sql: Sql, name: string): Promise<{ id: string; name: string } | null> {
  const [row] = await sql.query<{ id: string; name: string }>(
    `select id, name from projects where removed_at is null and (name = $1 or $1 = any(former_names)) order by (name = $1) desc limit 1`,
    [name],
  );
  return row ?? null;
}

/** Throws name-taken, also for a former name of another project: workflow files still mean that one by it. */
export async function insertProject(sql: Sql, name: string): Promise<{ id: string }> {
  await requireFreeName(sql, name, null);
  const id = uuidv7();
  await sql.query('insert into projects (id, name) values ($1, $2)', [id, name]);
  return { id };
}

/** Throws name-taken and not-found. */
export async function renameProject(sql: Sql, id: string, name: string): Promise<void> {
  await requireFreeName(sql, name, id);
  const renamed = await sql.query(
    `update projects set name = $2, former_names = array_remove(case when name = $2 then former_names else former_names || name end, $2)
     where id = $1 and removed_at is null returning id`,
    [id, name],
  );
  if (renamed.length === 0) throw noSuchProject();
}

/** Throws not-found. */
export async function readProjectImpact(sql: Sql, id: string): Promise<ProjectImpact> {
  const [row] = await sql.query<ProjectImpact>(
    `select (select count(*)::int from workflows where project_id = p.id) as workflows,
       (select count(*)::int from schedules where project_id = p.id and removed_at is null) as schedules,
       (select count(*)::int from runs where project_id = p.id) as runs,
       (select count(*)::int from runs where project_id = p.id and finished_at is null) as "activeRuns",
       (select count(*)::int from role_bindings where project_id = p.id) as members,
       (select count(*)::int from api_tokens where project_id = p.id and revoked_at is null) as "apiTokens"
     from projects p where p.id = $1 and p.removed_at is null`,
    [id],
  );
  if (!row) throw noSuchProject();
  return row;
}

/** One name after the other over all servers, so that a name is not given twice. */
async function requireFreeName(sql: Sql, name: string, forId: string | null): Promise<void> {
  await sql.query('select pg_advisory_xact_lock($1)', [NAMING_LOCK]);
  const holder = await findProjectByName(sql, name);
  if (holder === null || holder.id === forId) return;
  const detail =
    holder.name === name ? phrase('project-name-taken', { name }) : phrase('project-name-former', { name, project: holder.name });
  throw new AppError('name-taken', detail);
}

export function noSuchProject(): AppError {
  return new AppError('not-found', phrase('no-such-project'));
}
