import type { AttemptRef, HeartbeatRequest, SessionRequest } from '@medley/contracts';
import { uuidv7 } from '@medley/database';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import type { Replica } from '../testing/replica.fixture.js';
import { type AttemptRow, Spine } from '../testing/spine.fixture.js';

const capacity = { cpuMillis: 4000, memoryMib: 4096, diskMib: 1000, gpuCount: 0 };
const load = { cpuPercent: 1, memoryUsedMib: 1, memoryTotalMib: 2, diskFreeMib: 3, loadAverage: 0 };

function sessionOf(bootId: string, live: AttemptRef[] = []): SessionRequest {
  const facts = {
    agentVersion: '1',
    protocol: { min: 1, max: 1 },
    os: 'linux' as const,
    arch: 'x64',
    hostname: 'h',
    runtimes: ['shell'],
    capacity,
  };
  return { bootId, facts, performance: null, live };
}

function beatOf(bootId: string, live: AttemptRef[] = [], lastAnswerAt: string | null = null): HeartbeatRequest {
  return { bootId, load, live, performance: null, lastAnswerAt };
}

const refOf = ({ id, fence }: AttemptRow): AttemptRef => ({ attemptId: id, fence });

describe('sessions and heartbeats', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
  });
  afterEach(() => expectInvariants(spine));
  afterAll(() => spine.close());

  /** A node of a pool of its own with an open session. */
  async function openNode() {
    pool = await spine.addPool();
    const nodeId = await spine.addNode(pool.id);
    const bootId = uuidv7();
    await replica.sessions.open(nodeId, sessionOf(bootId));
    return { nodeId, bootId };
  }

  async function nodeWithTasks(count: number) {
    const node = await openNode();
    const tasks = Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, {}]));
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, tasks), spine.projectId);
    const attempts = [...(await replica.runReady(runId)).values()];
    return { ...node, runId, attempts };
  }

  it('loses what a restarted agent does not know any more and keeps what it adopted', async () => {
    const { nodeId, runId, attempts } = await nodeWithTasks(2);
    await replica.sessions.open(nodeId, sessionOf(uuidv7(), [refOf(attempts[0]!)]));
    expect((await spine.attempts(runId)).map(({ state }) => state)).toEqual(['running', 'lost']);
    expect(await spine.taskStates(runId)).toEqual({ t0: 'running', t1: 'ready' });
  });

  it('loses nothing when the same session is opened again with an old list', async () => {
    const { nodeId, bootId, runId } = await nodeWithTasks(1);
    await replica.sessions.open(nodeId, sessionOf(bootId));
    expect(await spine.taskStates(runId)).toEqual({ t0: 'running' });
  });

  it('asks an agent with another boot id to open a session, and believes nothing of its list', async () => {
    const { nodeId, runId } = await nodeWithTasks(1);
    expect(await replica.sessions.heartbeat(nodeId, beatOf(uuidv7()))).toMatchObject({ session: 'renew', stops: [] });
    expect(await spine.taskStates(runId)).toEqual({ t0: 'running' });
  });

  it('loses an attempt only when a list was built after its claim and lacks it', async () => {
    const { nodeId, bootId, runId } = await nodeWithTasks(1);
    const { at } = await replica.sessions.heartbeat(nodeId, beatOf(bootId));
    expect(await spine.taskStates(runId)).toEqual({ t0: 'running' });
    await replica.sessions.heartbeat(nodeId, beatOf(bootId, [], at));
    expect(await spine.taskStates(runId)).toEqual({ t0: 'ready' });
  });

  it('loses nothing for a heartbeat that was stuck on its way while later ones were answered', async () => {
    const { nodeId, bootId } = await openNode();
    const { at } = await replica.sessions.heartbeat(nodeId, beatOf(bootId));
    const stuck = beatOf(bootId, [], at);
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, { task: {} }), spine.projectId);
    const held = [...(await replica.runReady(runId)).values()].map(refOf);
    await replica.sessions.heartbeat(nodeId, beatOf(bootId, held, at));
    await replica.sessions.heartbeat(nodeId, stuck);
    expect(await spine.taskStates(runId)).toEqual({ task: 'running' });
  });

  it('leaves a dispatch that is not claimed yet alone', async () => {
    const { nodeId, bootId } = await openNode();
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, { task: {} }), spine.projectId);
    await replica.place();
    for (let beat = 0; beat < 3; beat++) await replica.sessions.heartbeat(nodeId, beatOf(bootId));
    await replica.sessions.open(nodeId, sessionOf(uuidv7()));
    expect(await spine.taskStates(runId)).toEqual({ task: 'dispatched' });
  });

  it('orders to stop what is cancelled, what was lost, and what has another fence', async () => {
    const { nodeId, bootId, runId, attempts } = await nodeWithTasks(3);
    const live = attempts.map(refOf);
    await replica.end([{ attemptId: attempts[1]!.id, outcome: 'lost' }]);
    const wrongFence = { attemptId: attempts[2]!.id, fence: attempts[2]!.fence + 1 };
    const first = await replica.sessions.heartbeat(nodeId, beatOf(bootId, [live[0]!, live[1]!, wrongFence]));
    expect(first.stops).toEqual([
      { ...live[1], reason: 'superseded' },
      { ...wrongFence, reason: 'superseded' },
    ]);
    await replica.cancel(runId);
    const second = await replica.sessions.heartbeat(nodeId, beatOf(bootId, live));
    expect(second.stops).toContainEqual({ ...live[0], reason: 'cancelled' });
  });

  it('puts a silent node that beats again back in service', async () => {
    const { nodeId, bootId } = await openNode();
    await spine.sql.query(`update nodes set state = 'offline' where id = $1`, [nodeId]);
    await replica.sessions.heartbeat(nodeId, beatOf(bootId));
    expect(await spine.sql.query('select state from nodes where id = $1', [nodeId])).toEqual([{ state: 'online' }]);
  });
});
