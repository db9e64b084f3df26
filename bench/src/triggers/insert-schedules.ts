import { query } from '@medley/testing';

/** The workflow that every schedule of this bench starts. */
export function noopWorkflow(): Record<string, unknown> {
  return { medley: 1, project: 'default', workflow: 'tick', tasks: { only: { kind: 'noop' } } };
}

/** A rule that fires at this second of every day, in UTC. */
export function cronAt(instant: Date): string {
  return `${instant.getUTCSeconds()} ${instant.getUTCMinutes()} ${instant.getUTCHours()} * * *`;
}

const insert = `
insert into schedules (id, project_id, workflow_id, name, cron, zone, next_fire_at)
select gen_random_uuid(), project_id, id, $2 || n, $3, 'UTC', $4::timestamptz + make_interval(secs => $6::float8 * (n - 1) / $5::int)
from workflows, generate_series(1, $5::int) n where id = $1`;

/** Stores enabled schedules by SQL, since a request for each would only measure requests; the first fire of each lies between `at` and `at` plus the spread. */
export async function insertSchedules(
  databaseUrl: string,
  wish: { workflowId: string; prefix: string; count: number; cron: string; at: Date; spreadSeconds: number },
): Promise<void> {
  await query(databaseUrl, insert, [wish.workflowId, wish.prefix, wish.cron, wish.at.toISOString(), wish.count, wish.spreadSeconds]);
}
