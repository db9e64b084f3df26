import type { ProjectImpact } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { noSuchProject, readProjectImpact } from './projects.repository.js';

/**
 * Marks a project as removed: nobody sees it or anything of it any more, its schedules fire no more, its tokens and roles are gone. Its rows stay, and its name
 * is free again. Schedules are locked before the project, as the pass that fires them does. Throws not-found and project-in-use with what is in the way.
 */
export async function removeProject(sql: Sql, id: string, withRuns: boolean): Promise<ProjectImpact> {
  const before = await readProjectImpact(sql, id);
  await sql.query(
    `with locked as (select id from schedules where project_id = $1 and removed_at is null order by id for no key update)
     update schedules s set removed_at = clock_timestamp(), enabled = false, next_fire_at = null, delayed_until = null, held_by_run_id = null, held_from = null from locked l where s.id = l.id`,
    [id],
  );
  await forgetUpstreams(sql, id);
  const [project] = await sql.query<{ name: string }>('select name from projects where id = $1 and removed_at is null for update', [id]);
  if (!project) throw noSuchProject();
  const impact = { ...(await readProjectImpact(sql, id)), schedules: before.schedules };
  requireRemovable(project.name, impact, withRuns);
  await sql.query('delete from role_bindings where project_id = $1', [id]);
  await sql.query('update api_tokens set revoked_at = clock_timestamp() where project_id = $1 and revoked_at is null', [id]);
  // No project can be given a name with "~" in it.
  await sql.query(`update projects set removed_at = clock_timestamp(), former_names = '{}', name = name || '~' || id where id = $1`, [id]);
  return impact;
}

/** Nothing waits for these schedules' upstreams any more, and what succeeded is not kept for them. Dates that have fired stay with their runs. */
async function forgetUpstreams(sql: Sql, projectId: string): Promise<void> {
  const own = 'schedule_id in (select id from schedules where project_id = $1)';
  await sql.query(`delete from upstream_counts where ${own}`, [projectId]);
  await sql.query(`delete from upstream_dates where ${own} and fired_at is null`, [projectId]);
  await sql.query(`delete from schedule_upstreams where ${own}`, [projectId]);
}

function requireRemovable(name: string, { runs, activeRuns, workflows, schedules }: ProjectImpact, withRuns: boolean): void {
  if (activeRuns > 0) {
    throw new AppError('project-in-use', phrase('project-has-active-runs', { name, count: activeRuns }));
  }
  if (runs === 0 || withRuns) return;
  throw new AppError('project-in-use', phrase('project-holds', { name, runs, workflows, schedules }));
}
