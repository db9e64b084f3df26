import { randomUUID } from 'node:crypto';
import type { Activity, ApplyAnswer, ClusterLoad, Overview, ProjectView, Timeline } from '@medley/contracts';
import { sqlOutsideTransaction, uuidv7LowerBound } from '@medley/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { unguarded } from '../testing/unguarded.js';
import { SAMPLE_SECONDS, takeSamples } from './node-samples.repository.js';

const MINUTE = 60_000;

interface PastRun {
  id: string;
  minutesAgo: number;
  tookSeconds: number | null;
}

describe('history', () => {
  let server: TestServer;
  let workflow: ApplyAnswer;
  const now = Date.now();
  const at = (minutesAgo: number) => new Date(now - minutesAgo * MINUTE);
  const range = (fromMinutesAgo: number, toMinutesAgo: number) =>
    `from=${at(fromMinutesAgo).toISOString()}&to=${at(toMinutesAgo).toISOString()}`;

  /** An id as it would have been given then; uuidv7() itself never goes back in time. */
  const idAt = (minutesAgo: number) => `${uuidv7LowerBound(now - minutesAgo * MINUTE).slice(0, 24)}${randomUUID().slice(24)}`;

  /** A run of one task that waited for ten seconds. */
  async function past({ id, minutesAgo, tookSeconds }: PastRun): Promise<void> {
    const ended = tookSeconds === null ? null : new Date(at(minutesAgo).getTime() + (10 + tookSeconds) * 1000);
    const started = new Date(at(minutesAgo).getTime() + 10_000);
    const state = ended === null ? 'running' : 'succeeded';
    await unguarded(
      server.source,
      `insert into runs (id, project_id, workflow_id, workflow_version, state, trigger, task_count, open_tasks, created_at, started_at, finished_at)
       select $1, project_id, id, 1, $2, 'manual', 1, 0, $3, $4, $5 from workflows where id = $6`,
      [id, state, at(minutesAgo), started, ended, workflow.workflowId],
    );
    await unguarded(
      server.source,
      `insert into task_runs (id, run_id, task_key, position, state, pool_id, shape_hash, ready_at, started_at, finished_at)
       select $1, $2, 'a', 0, $3, id, 'none', $4, $5, $6 from pools`,
      [idAt(minutesAgo), id, state, at(minutesAgo), started, ended],
    );
  }

  const runs = [
    { id: idAt(50), minutesAgo: 50, tookSeconds: 20 },
    { id: idAt(45), minutesAgo: 45, tookSeconds: 40 },
    { id: idAt(30 * 60), minutesAgo: 30 * 60, tookSeconds: null },
    { id: idAt(10), minutesAgo: 10, tookSeconds: 1 },
  ];

  beforeAll(async () => {
    server = await startTestServer();
    const schedules = { quarterly: { cron: '*/15 * * * *', zone: 'UTC' } };
    const document = { medley: 1, project: 'default', workflow: 'report', schedules, tasks: { a: { run: 'true', labels: 'none = here' } } };
    workflow = await server.admin.post<ApplyAnswer>('/workflows/apply', document);
    for (const run of runs) await past(run);
  });
  afterAll(() => server.close());

  it('shows what overlaps the range by workflow, and what has run since long before it', async () => {
    const { rows, runsSince } = await server.admin.get<Timeline>(`/timeline?${range(60, 20)}`);
    expect(rows.map((row) => [row.workflow, row.runs.map(({ id }) => id)])).toEqual([['report', [runs[2]!.id, runs[0]!.id, runs[1]!.id]]]);
    expect(runsSince).toBeNull();
  });

  it('shows the coming fires of the range, the first being the stored one', async () => {
    const { rows, firesUntil } = await server.admin.get<Timeline>(`/timeline?${range(1, -120)}`);
    const [stored] = await sqlOutsideTransaction(server.source).query<{ at: Date }>('select next_fire_at as at from schedules');
    expect(rows[0]!.fires[0]!.at).toBe(stored!.at.toISOString());
    expect(rows[0]!.fires).toHaveLength(8);
    expect(firesUntil).toBeNull();
  });

  it('counts what ended in each step, with how long it waited and ran', async () => {
    const { points, stepSeconds } = await server.admin.get<Activity>(`/activity?${range(60, 0)}`);
    expect(stepSeconds).toBe(30);
    expect(points.length).toBeGreaterThanOrEqual(120);
    const busy = points.filter(({ succeeded }) => succeeded > 0);
    expect(busy.map(({ waitP50Seconds, runP95Seconds }) => [waitP50Seconds, runP95Seconds])).toEqual([
      [10, 20],
      [10, 40],
      [10, 1],
    ]);
  });

  it('samples every node once per interval, whichever server comes first, and draws them at the instants of their samples', async () => {
    const sql = sqlOutsideTransaction(server.source);
    await sql.query(
      `insert into nodes (id, pool_id, name, credential_hash, os, arch, hostname, agent_version, protocol, cpu_millis, memory_mib, disk_mib, gpu_count, state)
       select gen_random_uuid(), id, 'measured', '\\x00', 'linux', 'x64', 'h', '0', 1, 4000, 1, 1, 0, 'online' from pools`,
    );
    await sql.query(`insert into node_usage (node_id, cpu_millis) select id, 1000 from nodes where name = 'measured'`);
    await sql.query(
      `insert into node_heartbeats (node_id, boot_id, received_at, boot_at, load) select id, id, now(), now(), '{"cpuPercent": 12}' from nodes`,
    );
    await sql.query('delete from node_samples');
    await Promise.all([takeSamples(sql), takeSamples(sql)]);
    const load = await server.admin.get<ClusterLoad>(`/cluster-load?${range(60, -1)}`);
    expect(load).toMatchObject({ stepSeconds: 60, nodeCount: expect.any(Number) });
    const [samples] = await sql.query<{ count: number; aligned: boolean }>(
      `select count(*)::int as count, bool_and(extract(epoch from at)::int % ${SAMPLE_SECONDS} = 0) as aligned from node_samples`,
    );
    expect(samples!.aligned).toBe(true);
    const { nodes } = await server.admin.get<ClusterLoad>(`/cluster-load?${range(30, -1)}`);
    expect(nodes.map(({ node, cpuPercent, reservedPercent }) => [node, cpuPercent.at(-1), reservedPercent.at(-1)])).toEqual([
      ['measured', 12, 25],
    ]);
  });

  it('refuses a range that ends before it begins, and one that is too long', async () => {
    await expect(server.admin.get(`/timeline?${range(1, 2)}`)).rejects.toMatchObject({ body: { code: 'validation-failed' } });
    await expect(server.admin.get(`/activity?${range(32 * 24 * 60, 0)}`)).rejects.toMatchObject({ body: { code: 'validation-failed' } });
  });

  it('and the overview are those of one project when asked so', async () => {
    const { id } = await server.admin.post<ProjectView>('/projects', { name: 'empty' });
    expect((await server.admin.get<Timeline>(`/timeline?${range(60, -60)}&projectId=${id}`)).rows).toEqual([]);
    const activity = await server.admin.get<Activity>(`/activity?${range(60, 0)}&projectId=${id}`);
    expect(activity.points.every(({ succeeded }) => succeeded === 0)).toBe(true);
    expect(await server.admin.get<Overview>(`/overview?projectId=${id}`)).toMatchObject({
      runs: {},
      taskRuns: {},
      running: [],
      nextFires: [],
    });
    expect((await server.admin.get<Overview>('/overview')).runs).toEqual({ running: 1, succeeded: 3 });
  });
});
