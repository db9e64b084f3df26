import { query } from '@medley/testing';

/** The workflow that every schedule of this bench starts. */
export function noopWorkflow(): Record<string, unknown> {
  return { medley: 1, project: 'default', workflow: 'tick', tasks: { only: { kind: 'noop' } } };
}

const zones = [
  'UTC',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Los_Angeles',
  'America/Sao_Paulo',
];

/** Rules, each with its zone, that fire at this second of every hour: different texts, so that nothing is won by all schedules being alike. */
export function rulesAt(instant: Date): { cron: string; zone: string }[] {
  const time = `${instant.getUTCSeconds()} ${instant.getUTCMinutes()}`;
  const forms = ['* * * *', '*/1 * * *', '0-23 * * *', '* * 1-12 *', '* * * 0-6', '* 1-31 * *'];
  return zones.flatMap((zone) => forms.map((form) => ({ cron: `${time} ${form}`, zone })));
}

const insert = `
insert into schedules (id, project_id, workflow_id, name, cron, zone, next_fire_at)
select gen_random_uuid(), project_id, id, $2 || n, ($3::text[])[1 + n % cardinality($3::text[])], ($4::text[])[1 + n % cardinality($3::text[])],
  $5::timestamptz + make_interval(secs => $7::float8 * (n - 1) / $6::int)
from workflows, generate_series(1, $6::int) n where id = $1`;

/** Stores enabled schedules by SQL, since a request for each would only measure requests; the first fire of each lies between `at` and `at` plus the spread. */
export async function insertSchedules(
  databaseUrl: string,
  wish: {
    workflowId: string;
    prefix: string;
    count: number;
    rules: readonly { cron: string; zone: string }[];
    at: Date;
    spreadSeconds: number;
  },
): Promise<void> {
  const crons = wish.rules.map((rule) => rule.cron);
  const ruleZones = wish.rules.map((rule) => rule.zone);
  await query(databaseUrl, insert, [wish.workflowId, wish.prefix, crons, ruleZones, wish.at.toISOString(), wish.count, wish.spreadSeconds]);
}
