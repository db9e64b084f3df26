import { query, type ServerProgram, Stack, untilNodes, waitFor, withConnection } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const workflowCount = 5;
const schedulesEach = 100;
const scheduleCount = workflowCount * schedulesEach;
let stack: Stack;
let second: ServerProgram;

/** Each server calls itself by this name at the database. */
const urlAs = (server: string) => `${stack.databaseUrl}?application_name=${server}`;

/**
 * Notes which server inserted each run. The pause stands for a slow disk: it makes one server's batch last, so that the other one has its turn at what is due, and
 * that both fire does not hang on luck.
 */
const noteWhoFired = `
create table fired_by (run_id uuid primary key, server text not null);
create function note_who_fired() returns trigger language plpgsql as $$
begin
  insert into fired_by values (new.id, current_setting('application_name'));
  perform pg_sleep(0.003);
  return null;
end $$;
create trigger note_who_fired after insert on runs for each row execute function note_who_fired()`;

beforeAll(async () => {
  stack = await Stack.start();
  second = await stack.addServer({ env: { MEDLEY_DATABASE_URL: urlAs('second') } });
  await query(stack.databaseUrl, noteWhoFired);
  await stack.addAgent({ name: 'only' });
  await untilNodes(stack.databaseUrl, ['only']);
});

afterAll(() => stack?.stop());

/** 500 schedules of five workflows, all due at the same second of this day of the year and at no other. */
async function applySchedules(name: string, secondsAhead: number, tasks: Record<string, unknown>): Promise<Date> {
  const [{ now }] = (await query<{ now: Date }>(stack.databaseUrl, 'select clock_timestamp() as now')) as [{ now: Date }];
  const tick = new Date(Math.ceil(now.getTime() / 1000) * 1000 + secondsAhead * 1000);
  const cron = `${tick.getUTCSeconds()} ${tick.getUTCMinutes()} ${tick.getUTCHours()} ${tick.getUTCDate()} ${tick.getUTCMonth() + 1} *`;
  const schedules = Object.fromEntries(Array.from({ length: schedulesEach }, (_, index) => [`every-${index + 1}`, { cron, zone: 'UTC' }]));
  for (let count = 1; count <= workflowCount; count += 1) {
    await stack.admin.apply(JSON.stringify({ medley: 1, project: name, workflow: `w-${count}`, schedules, tasks }));
  }
  return tick;
}

interface Fired extends Record<string, unknown> {
  schedule_id: string;
  fire_at: Date;
  task_count: number;
  tasks: number;
  state: string;
  late_ms: number;
}

function readFired(project: string): Promise<Fired[]> {
  return query<Fired>(
    stack.databaseUrl,
    `select r.schedule_id, r.fire_at, r.task_count, r.state, (extract(epoch from r.created_at - r.fire_at) * 1000)::float8 as late_ms,
       (select count(*)::int from task_runs t where t.run_id = r.id) as tasks
     from runs r join projects p on p.id = r.project_id where p.name = $1`,
    [project],
  );
}

/** Runs of a project by the server that created them. */
async function countByServer(project: string): Promise<Record<string, number>> {
  const rows = await query<{ server: string; runs: number }>(
    stack.databaseUrl,
    `select f.server, count(*)::int as runs from fired_by f join runs r on r.id = f.run_id join projects p on p.id = r.project_id
     where p.name = $1 group by f.server`,
    [project],
  );
  return Object.fromEntries(rows.map(({ server, runs }) => [server, runs]));
}

/** Every run was created by one of the two, and neither did nothing. */
async function expectBothFired(project: string, total: number): Promise<void> {
  const counts = await countByServer(project);
  expect(Object.keys(counts).sort()).toEqual(['medley-server', 'second']);
  expect(counts['medley-server']! + counts.second!).toBe(total);
}

/** Exactly one run per schedule, all for this tick, each with all its tasks. */
function expectOneRunEach(fired: readonly Fired[], tick: Date, taskCount: number): void {
  expect(fired).toHaveLength(scheduleCount);
  expect(new Set(fired.map((run) => run.schedule_id)).size).toBe(scheduleCount);
  expect(new Set(fired.map((run) => run.fire_at.toISOString()))).toEqual(new Set([tick.toISOString()]));
  expect(new Set(fired.map((run) => `${run.task_count} ${run.tasks}`))).toEqual(new Set([`${taskCount} ${taskCount}`]));
}

describe('two servers and 500 schedules due on one tick', () => {
  it('start exactly one run per schedule, on time, and all of them end', async () => {
    const tick = await applySchedules('both-alive', 10, { only: { kind: 'noop' } });
    await waitFor(async () => (await readFired('both-alive')).filter(({ state }) => state === 'succeeded').length >= scheduleCount, {
      timeoutMs: 60_000,
    });
    const fired = await readFired('both-alive');
    expectOneRunEach(fired, tick, 1);
    await expectBothFired('both-alive', scheduleCount);
    expect(Math.min(...fired.map((run) => run.late_ms))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...fired.map((run) => run.late_ms))).toBeLessThan(10_000);
    const [next] = await query(stack.databaseUrl, `select count(*)::int as due from schedules where next_fire_at <= clock_timestamp()`);
    expect(next).toEqual({ due: 0 });
  });

  it('start exactly one run per schedule when one of them is killed in the middle', async () => {
    // A pool without nodes: what counts here is that the runs are there, whole.
    await query(
      stack.databaseUrl,
      `insert into pools (id, name, policy) select gen_random_uuid(), 'empty', policy from pools where name = 'default'`,
    );
    const width = 20;
    const tasks = Object.fromEntries(Array.from({ length: width }, (_, index) => [`task-${index + 1}`, { kind: 'noop', pool: 'empty' }]));
    const tick = await applySchedules('one-killed', 10, tasks);
    // It dies with a batch of runs half inserted, which nobody else has done yet.
    await withConnection(stack.databaseUrl, (client) =>
      waitFor(
        async () => {
          const { rowCount } = await client.query(
            `select 1 from pg_stat_activity where application_name = 'second' and state = 'active' and query ilike '%insert into runs%'`,
          );
          return rowCount === 1;
        },
        { pollMs: 1 },
      ),
    );
    await second.kill9();
    expect((await readFired('one-killed')).length).toBeLessThan(scheduleCount);

    await waitFor(async () => (await readFired('one-killed')).length >= scheduleCount, { timeoutMs: 60_000 });
    expectOneRunEach(await readFired('one-killed'), tick, width);
    expect([stack.servers[0]!.isRunning, second.isRunning]).toEqual([true, false]);
  });
});
