import { withConnection } from '@medley/testing';

const PROJECTS = 5;
const WORKFLOWS = 200;
const PART = 100_000;
/** Of the newest runs, so many also have their task runs. */
const WITH_TASKS = 20_000;
/** Runs of one backfill, and runs within one run, at most. */
const OF_ONE = 2_000;

export interface GeneratedIds {
  /** A workflow that is run often, and one that is hardly ever run. */
  busyWorkflowId: string;
  rareWorkflowId: string;
  scheduleId: string;
  projectId: string;
  /** A backfill that made many runs, and a run within which many others ran. */
  backfillId: string;
  parentRunId: string;
}

/** A time-ordered id (uuidv7) of an instant and a number, made by the database. */
const idFunction = `
create function bench_id(at timestamptz, n bigint) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid $$`;

const projects = `
insert into projects (id, name) select bench_id(now(), n), 'team-' || n from generate_series(1, ${PROJECTS}) n`;

/** Copies of an applied workflow, so that their versions are as the server stores them. */
const workflows = `
insert into workflows (id, project_id, name, description, latest_version)
select bench_id(now(), 1000 + n), (select id from projects where name = 'team-' || (1 + n % ${PROJECTS})), 'job-' || lpad(n::text, 3, '0'), 'generated', 1
from generate_series(1, ${WORKFLOWS}) n`;

const versions = `
insert into workflow_versions (workflow_id, version, definition, spec, checksum)
select w.id, 1, v.definition, v.spec, v.checksum from workflows w, workflow_versions v where w.description = 'generated' and v.workflow_id = $1`;

const schedules = `
insert into schedules (id, project_id, workflow_id, name, cron, zone, enabled)
select bench_id(now(), 2000 + row_number() over (order by name)), project_id, id, 'hourly', '0 * * * *', 'UTC', false
from workflows where description = 'generated' and right(name, 1) in ('0', '2', '4', '6', '8')`;

/**
 * Thirty days of runs up to now, older first. A few workflows have most of the runs (the square of a uniform number picks one); 93 % succeeded, 6 % failed and 1 % was
 * cancelled; those of workflows with a schedule mostly came from it.
 */
const runs = `
insert into runs (id, project_id, workflow_id, workflow_version, state, trigger, schedule_id, fire_at, created_by, task_count, open_tasks, created_at, started_at, finished_at)
select bench_id(at, n), w.project_id, w.id, 1, case when luck < 0.93 then 'succeeded' when luck < 0.99 then 'failed' else 'cancelled' end,
  case when w.schedule_id is null or n % 10 = 0 then 'manual' else 'schedule' end, case when n % 10 > 0 then w.schedule_id end,
  case when n % 10 > 0 and w.schedule_id is not null then at end, case when w.schedule_id is null or n % 10 = 0 then $4::uuid end, 3, 0,
  at, at + interval '0.2 s', at + interval '1 s' * (1 + 60 * luck)
from (
  select n, now() - interval '30 days' * (1 - n / $3::float8) - interval '2 minutes' as at, abs(hashint8extended(n, 7) % 1000000) / 1e6 as luck,
    1 + floor(${WORKFLOWS} * power(abs(hashint8extended(n, 3) % 1000000) / 1e6, 2))::int as pick
  from generate_series($1::bigint, $2::bigint) n
) made
join (
  select w.*, s.id as schedule_id, row_number() over (order by w.name) as ordinal from workflows w left join schedules s on s.workflow_id = w.id
  where w.description = 'generated'
) w on w.ordinal = made.pick`;

const taskRuns = `
insert into task_runs (id, run_id, task_key, position, state, fence, pool_id, shape_hash, tries, ready_at, started_at, finished_at)
select gen_random_uuid(), r.id, 'task-' || p, p, case when r.state = 'succeeded' or p < 2 then 'succeeded' else r.state end, 1,
  (select id from pools where name = 'default' and removed_at is null), 'generated', 1, r.created_at, r.started_at, r.finished_at
from (select * from runs where task_count = 3 order by id desc limit ${WITH_TASKS}) r, generate_series(0, 2) p`;

/** Of runs that were started by hand: some become those of a backfill of their workflow's schedule, others parts of the newest run. */
const backfill = `
update runs r set trigger = 'backfill', backfill_id = bench_id(now(), 3000), schedule_id = s.id, fire_at = r.created_at
from schedules s join workflows w on w.id = s.workflow_id
where w.name = 'job-002' and s.workflow_id = r.workflow_id and r.id in (
  select m.id from runs m join workflows of on of.id = m.workflow_id where of.name = 'job-002' and m.trigger = 'manual' limit ${OF_ONE})`;

const children = `
update runs r set trigger = 'parent', parent_run_id = t.run_id, parent_task_run_id = t.id
from (select id, run_id from task_runs where shape_hash = 'generated' order by run_id desc, position limit 1) t
where r.id in (
  select m.id from runs m join workflows of on of.id = m.workflow_id where of.name = 'job-003' and m.trigger = 'manual' limit ${OF_ONE}) and r.id <> t.run_id`;

const named = `
select (select id from workflows where name = 'job-001') as "busyWorkflowId", (select id from workflows where name = 'job-200') as "rareWorkflowId",
  (select s.id from schedules s join workflows w on w.id = s.workflow_id where w.name = 'job-002') as "scheduleId", (select id from projects where name = 'team-3') as "projectId",
  (select backfill_id from runs where trigger = 'backfill' limit 1) as "backfillId", (select parent_run_id from runs where trigger = 'parent' limit 1) as "parentRunId"`;

/** Fills the database with so many ended runs; `modelId` is the workflow whose definition they share. */
export async function generateRuns(
  databaseUrl: string,
  count: number,
  modelId: string,
  tell: (done: number) => void,
): Promise<GeneratedIds> {
  return withConnection(databaseUrl, async (client) => {
    await client.query('set synchronous_commit = off');
    for (const statement of [idFunction, projects, workflows]) await client.query(statement);
    await client.query(versions, [modelId]);
    await client.query(schedules);
    const { rows: users } = await client.query<{ id: string }>('select id from users order by created_at limit 1');
    for (let from = 1; from <= count; from += PART) {
      await client.query(runs, [from, Math.min(count, from + PART - 1), count, users[0]!.id]);
      tell(Math.min(count, from + PART - 1));
    }
    for (const statement of [taskRuns, backfill, children]) await client.query(statement);
    for (const table of ['runs', 'task_runs', 'workflows', 'schedules']) await client.query(`vacuum analyze ${table}`);
    return (await client.query<GeneratedIds>(named)).rows[0]!;
  });
}
