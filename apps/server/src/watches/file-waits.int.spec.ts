import {
  type ApplyAnswer,
  type FileLook,
  type FileLookResult,
  type RunTasks,
  type RunView,
  WATCH_PROTOCOL,
  type WaitForSpec,
  type Why,
} from '@medley/contracts';
import { aWorkflow, waitFor } from '@medley/testing';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer } from '../testing/test-server.js';
import { reference, type TaskFields } from '../testing/workflow.fixture.js';

const load = { cpuPercent: 1, memoryUsedMib: 1, memoryTotalMib: 1000, diskFreeMib: 1000, loadAverage: 0 };
const there: FileLookResult = { outcome: 'there', sizeBytes: 12, modifiedAt: '2026-03-01T07:00:00.000Z' };
const absent: FileLookResult = { outcome: 'absent' };

describe('a task that waits for a file on a node', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };
  let edge: string;
  let other: string;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
    pool = await spine.addPool();
    edge = await spine.addNode(pool.id, { name: 'edge-1', labels: { zone: 'edge' } });
    other = await spine.addNode(pool.id, { name: 'edge-2', labels: { zone: 'edge' } });
    await spine.addNode(pool.id, { name: 'inner', labels: { zone: 'inner' } });
    await spine.addNode((await spine.addPool()).id, { name: 'edge-elsewhere', labels: { zone: 'edge' } });
    await spine.sql.query('update nodes set protocol = $1', [WATCH_PROTOCOL]);
  });
  afterEach(async () => {
    await spine.sql.query('delete from watches');
    await expectInvariants(spine);
  });
  afterAll(() => spine.close());

  const onNode = (fields: Partial<Extract<WaitForSpec, { kind: 'file' }>> = {}): TaskFields => {
    const path = `/data/in/ready-${reference('task.key')}`;
    return { kind: 'wait-for', waitFor: { kind: 'file', path, node: 'edge-1', everySeconds: 30, ...fields } };
  };
  const byLabels = (labels: string): TaskFields => ({ ...onNode({ node: null }), labels });
  async function started(tasks: Record<string, TaskFields>, by = replica) {
    const runId = await by.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    await by.passes.unplaced.run();
    return runId;
  }
  async function nextRound(by = replica) {
    await spine.sql.query('update watches set due_at = clock_timestamp()');
    await by.passes.watch.run();
  }
  async function beat(nodeId: string, by = replica): Promise<FileLook[]> {
    const [row] = await spine.sql.query<{ boot_id: string }>('select boot_id from node_heartbeats where node_id = $1', [nodeId]);
    return (await by.sessions.heartbeat(nodeId, { bootId: row!.boot_id, load, live: [], performance: null })).looks ?? [];
  }
  const tell = (nodeId: string, { watchId, look }: FileLook, result: FileLookResult, by = replica) =>
    by.looks.take(nodeId, [{ watchId, look, result }]);
  const stateOf = async (runId: string) => (await spine.taskStates(runId)).wait;
  const reasonOf = async (runId: string) => (await spine.taskRuns(runId)).get('wait')!.reason as unknown as { code: string; text: string };

  it('is looked for by its node, says what was found, and ends when the file is there', async () => {
    const runId = await started({ wait: onNode() });
    expect(await reasonOf(runId)).toMatchObject({ code: 'waiting-for-file', values: { target: '/data/in/ready-wait', looks: 0 } });
    await replica.passes.watch.run();
    expect((await reasonOf(runId)).text).toContain('edge-1: asked, not answered yet');
    expect(await beat(other)).toEqual([]);
    const [first] = await beat(edge);
    expect(first).toMatchObject({ look: 1, path: '/data/in/ready-wait' });
    await tell(edge, first!, absent);
    expect((await reasonOf(runId)).text).toContain('edge-1: no such file');
    expect(await beat(edge)).toEqual([]);
    await nextRound();
    const [second] = await beat(edge);
    await tell(edge, second!, there);
    expect(await stateOf(runId)).toBe('succeeded');
    expect(await reasonOf(runId)).toMatchObject({ code: 'file-there', values: { node: 'edge-1', sizeBytes: 12, looks: 2 } });
    expect(await spine.sql.query('select 1 from attempts where run_id = $1', [runId])).toEqual([]);
    expect(await spine.sql.query('select 1 from node_looks')).toEqual([]);
  });

  it('takes no answer to an earlier look, of another node, or to what a task before asked', async () => {
    const runId = await started({ wait: onNode() });
    await replica.passes.watch.run();
    const [first] = await beat(edge);
    await tell(other, first!, there);
    await tell(edge, first!, absent);
    await nextRound();
    await tell(edge, first!, there);
    expect(await stateOf(runId)).toBe('blocked');
    const [second] = await beat(edge);
    await replica.cancel(runId);
    await tell(edge, second!, there);
    expect(await stateOf(runId)).toBe('cancelled');
  });

  it('is asked again by any server until it has answered, however often it becomes due meanwhile', async () => {
    const runId = await started({ wait: onNode() });
    await replica.passes.watch.run();
    const [first] = await beat(edge);
    await nextRound();
    const restarted = await spine.replica();
    expect(await beat(edge, restarted)).toEqual([first]);
    await Promise.all([tell(edge, first!, there, restarted), tell(edge, first!, there)]);
    expect(await stateOf(runId)).toBe('succeeded');
  });

  it('by labels is looked for on every node of its pool that has them, any one of which is enough', async () => {
    const runId = await started({ wait: byLabels('zone = edge') });
    await replica.passes.watch.run();
    const [onFirst] = await beat(edge);
    const [onSecond] = await beat(other);
    expect(await spine.sql.query('select 1 from node_looks')).toHaveLength(2);
    await Promise.all([tell(edge, onFirst!, absent), tell(other, onSecond!, { outcome: 'not-allowed' }, await spine.replica())]);
    expect((await reasonOf(runId)).text).toContain('edge-1: no such file, edge-2: the path is not within MEDLEY_AGENT_WATCH_PATHS');
    await nextRound();
    const [again] = await beat(other);
    await tell(other, again!, there);
    expect(await reasonOf(runId)).toMatchObject({ code: 'file-there', values: { node: 'edge-2' } });
    expect(await beat(edge)).toEqual([]);
  });

  it('goes on while its node is silent, and says so', async () => {
    const runId = await started({ wait: onNode() });
    await spine.sql.query(`update nodes set state = 'unreachable' where id = $1`, [edge]);
    await replica.passes.watch.run();
    expect((await reasonOf(runId)).text).toContain('edge-1: the node is silent since 20');
    const [look] = await beat(edge);
    await tell(edge, look!, there);
    expect(await stateOf(runId)).toBe('succeeded');
  });

  it('does not ask an agent that does not know how to look, and says so', async () => {
    await spine.sql.query('update nodes set protocol = $2 where id = $1', [edge, WATCH_PROTOCOL - 1]);
    const runId = await started({ wait: onNode() });
    await replica.passes.watch.run();
    expect(await beat(edge)).toEqual([]);
    expect((await reasonOf(runId)).text).toContain(
      'edge-1: its agent speaks protocol 3 and cannot look for files; install one of protocol 4',
    );
    await spine.sql.query('update nodes set protocol = $2 where id = $1', [edge, WATCH_PROTOCOL]);
    await nextRound();
    expect(await beat(edge)).toHaveLength(1);
    await replica.cancel(runId);
  });

  it('waits for a node or labels that are not there yet, and says so', async () => {
    const runs = [await started({ wait: onNode({ node: 'gone' }) }), await started({ wait: byLabels('zone = moon') })];
    await replica.passes.watch.run();
    const told = await Promise.all(runs.map(async (runId) => (await reasonOf(runId)).text));
    expect(told).toEqual([expect.stringContaining('no node named gone'), expect.stringContaining(`no node of the pool ${pool.name} has`)]);
    for (const runId of runs) await replica.cancel(runId);
  });

  it('fails, and says why, where its path is none', async () => {
    const runId = await started({ wait: onNode({ path: reference('task.key') }) });
    expect(await stateOf(runId)).toBe('failed');
    expect(await reasonOf(runId)).toMatchObject({ code: 'reference-invalid', explanation: { code: 'look-path-invalid' } });
  });

  it('ends as it is marked or at its deadline, and its node is heard no more', async () => {
    const marked = await started({ wait: onNode() });
    const late = await started({ wait: { ...onNode(), deadlineSeconds: 0.05, onDeadline: 'skip' } });
    await replica.passes.watch.run();
    const looks = await beat(edge);
    await replica.mark((await spine.taskRuns(marked)).get('wait')!.id, 'failed');
    await waitFor(async () => {
      await replica.passes.deadline.run();
      return (await stateOf(late)) === 'skipped';
    });
    for (const look of looks) await tell(edge, look, there);
    expect([looks.length, await stateOf(marked), await stateOf(late)]).toEqual([2, 'failed', 'skipped']);
    await nextRound();
    expect(await beat(edge)).toEqual([]);
  });

  it('goes from the file of the workflow to an agent and back on a whole server, which tells why it waits', async () => {
    const server = await startTestServer();
    const agent = await TestAgent.join(server.url, server.credentials.joinToken, 'alpha', 4000, WATCH_PROTOCOL);
    const path = `/data/in/${reference('parameters.day')}`;
    const fields = { parameters: { day: { type: 'string', default: '2026-03-01' } }, workflow: 'awaits' };
    const tasks = { wait: { kind: 'wait-for', file: { path, node: 'alpha' }, every: '1s' } };
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', aWorkflow(tasks as never, fields as never));
    const run = await server.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
    const next = () => waitFor(async () => (await agent.heartbeat(1)).looks?.[0]);
    const first = await next();
    expect(first.path).toBe('/data/in/2026-03-01');
    await agent.tellLooks([{ watchId: first.watchId, look: first.look, result: { outcome: 'not-allowed' } }]);
    const [wait] = (await server.admin.get<RunTasks>(`/runs/${run.id}/tasks`)).items;
    const why = await server.admin.get<Why>(`/task-runs/${wait!.id}/why`);
    expect(why.reason).toMatchObject({ code: 'waiting-for-file', text: expect.stringContaining('MEDLEY_AGENT_WATCH_PATHS') });
    const second = await next();
    await agent.tellLooks([{ watchId: second.watchId, look: second.look, result: there }]);
    expect((await server.admin.get<RunView>(`/runs/${run.id}`)).state).toBe('succeeded');
    await server.close();
  });
});
