import { randomUUID } from 'node:crypto';
import type { Claim, Dispatch, Report } from '@medley/contracts';
import { query, Stack, StartedRun } from '@medley/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, HandMadeAgent, sendTo, succeededReport } from './hand-made-agent.js';

let stack: Stack;
let owner: HandMadeAgent;
let stranger: HandMadeAgent;
let run: StartedRun;
let dispatch: Dispatch;

beforeAll(async () => {
  stack = await Stack.start({
    redis: false,
    // The agents here send no heartbeats, and a dispatch waits until the test claims it.
    serverEnv: { MEDLEY_UNREACHABLE_SECONDS: '600', MEDLEY_LEASE_SECONDS: '1200', MEDLEY_RELAY_MAX_SENDS: '1000' },
  });
  owner = await HandMadeAgent.join(stack, 'owner', { role: 'owner' });
  stranger = await HandMadeAgent.join(stack, 'stranger', { role: 'stranger' });
});

/** Each test has a task that was dispatched to the owner and not claimed yet. */
beforeEach(async () => {
  run = await StartedRun.of(stack, 'protocol', { work: { run: 'true', labels: 'role = owner', resources: { cpu: 0.01 } } });
  const { id } = await run.untilAttempt('work', ['dispatched']);
  dispatch = await owner.pull(id);
});

afterAll(() => stack?.stop());

const claimOf = (changes: Partial<Claim> = {}): Claim => ({
  taskRunId: dispatch.taskRunId,
  attemptId: dispatch.attemptId,
  fence: dispatch.fence,
  claimId: randomUUID(),
  carrier: 'pull',
  ...changes,
});

/** Everything a message could have changed for this run. What the relay does with unclaimed dispatches is not among it. */
async function storedState(): Promise<unknown> {
  return query(
    stack.databaseUrl,
    `select r.state as run, t.state as task, t.fence, t.tries, a.state as attempt, a.claim_id, a.carrier, a.report_sequence, a.exit_code, v.state as reservation,
       (select count(*)::int from log_chunks c where c.attempt_id = a.id) as chunks
     from runs r join task_runs t on t.run_id = r.id join attempts a on a.task_run_id = t.id join reservations v on v.attempt_id = a.id where r.id = $1`,
    [run.id],
  );
}

function expectClearRefusal({ status, body }: Answer, expected: number): void {
  expect(status).toBe(expected);
  expect(body).toMatchObject({ status: expected, code: expect.any(String), title: expect.any(String), detail: expect.any(String) });
}

/** Ends the test's task, so that the next test begins with an empty node. */
async function finishWork(): Promise<void> {
  expect(await owner.claim(claimOf())).toMatchObject({ granted: true });
  expect(await owner.report([succeededReport(dispatch)])).toMatchObject([{ sequence: 1, refused: null }]);
  expect(await run.state()).toBe('succeeded');
}

describe('a claim', () => {
  it('is refused for the attempt of another node, an older or newer fence, another task run or an unknown attempt', async () => {
    const before = await storedState();
    const garbage: [HandMadeAgent, Claim][] = [
      [stranger, claimOf()],
      [owner, claimOf({ fence: dispatch.fence + 1 })],
      [owner, claimOf({ taskRunId: randomUUID() })],
      [owner, claimOf({ attemptId: randomUUID() })],
    ];
    for (const [agent, claim] of garbage) {
      const result = await agent.claim(claim);
      expect(result).toEqual({ attemptId: claim.attemptId, granted: false, reason: expect.any(String) });
    }
    expect(await storedState()).toEqual(before);
    await finishWork();
  });

  it('is granted once: the same claim id gets the same answer, another one is refused', async () => {
    const claim = claimOf();
    const first = await owner.claim(claim);
    expect(first).toMatchObject({ granted: true, work: { runId: run.id, taskKey: 'work', script: expect.stringContaining('true') } });
    const stored = await storedState();
    expect(await owner.claim(claim)).toEqual(first);
    expect(await owner.claim(claimOf())).toMatchObject({ granted: false });
    expect(await stranger.claim(claim)).toMatchObject({ granted: false });
    expect(await storedState()).toEqual(stored);
    await owner.report([succeededReport(dispatch)]);
  });

  it('of a task whose run was cancelled is refused', async () => {
    await stack.admin.post(`/runs/${run.id}/cancel`);
    const before = await storedState();
    expect(await owner.claim(claimOf())).toMatchObject({ granted: false });
    expect(await storedState()).toEqual(before);
    expect(await run.state()).toBe('cancelled');
  });
});

describe('a report', () => {
  it('is refused for the attempt of another node, another fence and an unknown attempt', async () => {
    await owner.claim(claimOf());
    const before = await storedState();
    const log: Report = {
      ...dispatch,
      sequence: 1,
      body: { type: 'log', stream: 'stdout', offset: 0, data: Buffer.from('forged').toString('base64') },
    };
    const garbage: [HandMadeAgent, Report][] = [
      [stranger, succeededReport(dispatch)],
      [stranger, { attemptId: log.attemptId, fence: log.fence, sequence: 1, body: log.body }],
      [owner, succeededReport({ ...dispatch, fence: dispatch.fence + 1 })],
      [owner, succeededReport({ attemptId: randomUUID(), fence: 1 })],
    ];
    for (const [agent, report] of garbage) {
      expect(await agent.report([report])).toMatchObject([{ sequence: 0, refused: expect.any(String) }]);
    }
    expect(await storedState()).toEqual(before);
    await owner.report([succeededReport(dispatch)]);
  });

  it('of an end is refused before the claim: nobody can finish what was never granted', async () => {
    const before = await storedState();
    expect(await owner.report([succeededReport(dispatch)])).toMatchObject([{ sequence: 0, refused: expect.any(String) }]);
    expect(await storedState()).toEqual(before);
    await finishWork();
  });

  it('beyond a gap waits for what is missing, and a repeated one changes nothing', async () => {
    await owner.claim(claimOf());
    expect(await owner.report([succeededReport(dispatch, 3)])).toMatchObject([{ sequence: 0, refused: null }]);
    expect(await run.state()).toBe('running');
    await owner.report([succeededReport(dispatch)]);
    const ended = await storedState();
    const contrary: Report = {
      ...succeededReport(dispatch, 2),
      body: { type: 'finished', outcome: 'failed', exitCode: 1, signal: null, detail: null, runSeconds: 1 },
    };
    expect(await owner.report([succeededReport(dispatch)])).toMatchObject([{ sequence: 1, refused: null }]);
    expect(await owner.report([contrary])).toMatchObject([{ refused: expect.any(String) }]);
    expect(await run.state()).toBe('succeeded');
    expect(await storedState()).toMatchObject([{ ...(ended as object[])[0], report_sequence: expect.any(Number) }]);
  });
});

describe('the agent API', () => {
  it('answers what it cannot read with a clear 4xx and changes nothing', async () => {
    const before = await storedState();
    for (const path of ['claims', 'reports', 'session', 'heartbeat']) {
      expectClearRefusal(await owner.postText(path, '{"claims": ['), 400);
      expectClearRefusal(await owner.postText(path, 'null'), 400);
      expectClearRefusal(await owner.post(path, { claims: 'all', reports: 7 }), 400);
    }
    expectClearRefusal(await owner.post('claims', { claims: [claimOf({ fence: -1 })] }), 400);
    expectClearRefusal(await owner.post('claims', { claims: [claimOf({ claimId: "'; drop table runs; --" })] }), 400);
    expectClearRefusal(await owner.post('claims', { claims: Array.from({ length: 501 }, () => claimOf()) }), 400);
    expect(await storedState()).toEqual(before);
    await finishWork();
  });

  it('takes 10 MB of nonsense without harm', async () => {
    const before = await storedState();
    const nonsense = JSON.stringify({ claims: 'x'.repeat(10_000_000) });
    for (const path of ['reports', 'heartbeat']) expectClearRefusal(await owner.postText(path, nonsense), 400);
    // Where nothing large belongs, the announced length is enough: no byte of it is waited for.
    for (const path of ['claims', 'join']) expectClearRefusal(await owner.announce(path, nonsense.length), 413);
    expect(await storedState()).toEqual(before);
    await finishWork();
  });

  it('knows nobody without a valid credential', async () => {
    const before = await storedState();
    for (const credential of [undefined, '', 'medley_node_0000000000000000000000000000', owner.node.nodeId]) {
      expectClearRefusal(await sendTo(stack.url, 'claims', { claims: [claimOf()] }, credential), 401);
      expectClearRefusal(await sendTo(stack.url, 'reports', { reports: [succeededReport(dispatch)] }, credential), 401);
    }
    expect(await storedState()).toEqual(before);
    await finishWork();
  });
});
