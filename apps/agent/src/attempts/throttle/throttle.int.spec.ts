import { readFileSync } from 'node:fs';
import type { AttemptWork, Dispatch, MeasuredPerformance } from '@medley/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AgentScene } from '../../testing/agent-scene.js';
import { processesOf } from '../../testing/marked-processes.js';
import { plainUser } from '../../testing/plain-user.js';
import { waitUntil } from '../../testing/wait-until.js';
import { readStat } from '../process-table.js';

/** Spins until this much CPU time is used; prints that, the time that passed, and for how much of it the machine was too busy with others. */
const burn = (cpuMs: number) => `
  const schedule = () => require('node:fs').readFileSync('/proc/self/schedstat', 'utf8').split(' ').map((ns) => ns / 1e6);
  const [[cpu, wait], from] = [schedule(), performance.now()];
  while (schedule()[0] < cpu + ${cpuMs});
  const [cpuMs, waitMs] = schedule();
  console.log(JSON.stringify({ cpuMs: cpuMs - cpu, waitMs: waitMs - wait, wallMs: performance.now() - from }));`;
const SPIN = 'while :; do :; done';

const states = async (attemptId: string) => (await processesOf(attemptId)).map((pid) => readStat(pid)?.state);
const isHeld = async (attemptId: string) => (await states(attemptId)).includes('T');
const isFree = async (attemptId: string) => !(await states(attemptId)).includes('T');

async function open(sharePercent: number): Promise<AgentScene> {
  const scene = new AgentScene();
  await scene.open({ MEDLEY_AGENT_CPU_SHARE: String(sharePercent) }, [], plainUser);
  return scene;
}

/** The watchdog is the agent's child in a session of its own. */
async function watchdogOf(agentPid: number): Promise<number> {
  return Number(childrenOf(agentPid).find((pid) => isCalled(pid, 'medley-throttle-watchdog')));
}

const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);

/** False for one that is gone. */
function isCalled(pid: string, name: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(name);
  } catch {
    return false;
  }
}

describe('agents of a user without rights, one with a quarter of a core and one with a whole one', () => {
  let quarter: AgentScene;
  let whole: AgentScene;
  beforeAll(async () => {
    [quarter, whole] = [await open(25), await open(100)];
  });
  afterAll(() => Promise.all([quarter.close(), whole.close()]));
  const measured = (scene: AgentScene): Promise<MeasuredPerformance> =>
    waitUntil('a measured performance', () => scene.server.heartbeats.at(-1)?.performance, 50_000);

  it('measure performances that differ by 4 ± 0.6, and say what limits them', async () => {
    const [low, high] = [await measured(quarter), await measured(whole)];
    const seen = JSON.stringify({ low, high });
    expect(Math.abs(high.singleCore / low.singleCore - 4), `single core: ${seen}`).toBeLessThanOrEqual(0.6);
    expect(Math.abs(high.allCores / low.allCores - 4), `all cores: ${seen}`).toBeLessThanOrEqual(0.6);
    expect(quarter.server.sessions[0]?.facts).toMatchObject({
      cpuLimit: { percent: 25, means: 'duty_cycle' },
      capacity: { cpuMillis: 250 },
    });
    expect(quarter.agent.log).toContain('throttled to 25 % by duty cycle');
  });

  it('let a busy task have a quarter of the time, and two together no more', async () => {
    const used = (dispatch: Dispatch) => {
      const { cpuMs, waitMs, wallMs } = JSON.parse(quarter.stdout(dispatch));
      return { share: cpuMs / wallMs, undisturbed: cpuMs / (wallMs - waitMs) };
    };
    const alone = quarter.run({ kind: 'node', script: burn(500) });
    await quarter.finished(alone, 40_000);
    expect(used(alone).share).toBeLessThan(0.31);
    expect(used(alone).undisturbed).toBeGreaterThan(0.19);
    const pair = [quarter.run({ kind: 'node', script: burn(300) }), quarter.run({ kind: 'node', script: burn(300) })];
    await Promise.all(pair.map((each) => quarter.finished(each, 40_000)));
    expect(used(pair[0]!).share + used(pair[1]!).share).toBeLessThan(0.38);
  });
});

describe('processes that are held most of the time', () => {
  let scene: AgentScene;
  const running = new Set<Dispatch>();
  beforeAll(async () => {
    scene = await open(10);
    await waitUntil('measured', () => scene.server.heartbeats.at(-1)?.performance, 60_000);
  });
  afterAll(() => scene.close());
  afterEach(async () => {
    for (const { attemptId, fence } of running) scene.server.stop({ attemptId, fence, reason: 'cancelled' });
    for (const dispatch of running) await scene.finished(dispatch);
    running.clear();
  });

  const run = (work: Partial<AttemptWork>): Dispatch => {
    const dispatch = scene.run({ graceSeconds: 0.2, ...work });
    running.add(dispatch);
    return dispatch;
  };

  /** The agent is frozen in a moment in which it holds the attempt. */
  const freezeWhileHolding = (attemptId: string) =>
    waitUntil('the agent frozen while it holds', async () => {
      scene.agent.freeze();
      await waitUntil('frozen', () => readStat(scene.agent.pid)?.state === 'T');
      if (await isHeld(attemptId)) return true;
      scene.agent.thaw();
      return false;
    });
  const restart = async () => {
    const sessions = scene.server.sessions.length;
    scene.agent.start();
    await waitUntil('session of the next agent', () => scene.server.sessions.length > sessions);
  };

  it('end on cancel, with time to clean up, and on timeout', async () => {
    const script = `trap "echo cleaned; exit 3" TERM; echo up; ${SPIN}`;
    const cancelled = run({ script, graceSeconds: 20 });
    const late = run({ script: SPIN, timeoutSeconds: 1, graceSeconds: 20 });
    await scene.printed(cancelled, 'up');
    await waitUntil('held', () => isHeld(cancelled.attemptId));
    scene.server.stop({ attemptId: cancelled.attemptId, fence: 1, reason: 'cancelled' });
    expect(await scene.finished(cancelled)).toMatchObject({ outcome: 'cancelled', exitCode: 3 });
    expect(scene.stdout(cancelled)).toContain('cleaned');
    expect(await scene.finished(late)).toMatchObject({ outcome: 'timed_out' });
    for (const { attemptId } of [cancelled, late]) expect(await processesOf(attemptId)).toEqual([]);
  });

  it('go on when their agent is killed, and are held again by the next one', async () => {
    const dispatch = run({ script: `echo up; ${SPIN}` });
    await scene.printed(dispatch, 'up');
    await freezeWhileHolding(dispatch.attemptId);
    await scene.agent.signal('SIGKILL');
    await waitUntil('continued by the watchdog', () => isFree(dispatch.attemptId), 5000);
    expect(await states(dispatch.attemptId)).not.toEqual([]);
    await restart();
    await waitUntil('held by the next agent', () => isHeld(dispatch.attemptId));
    expect(scene.agent.log).not.toContain('continued what an earlier agent had held');
  });

  it('are continued by the next agent when agent and watchdog are killed at once', async () => {
    const dispatch = run({ script: `echo up; ${SPIN}` });
    await scene.printed(dispatch, 'up');
    await freezeWhileHolding(dispatch.attemptId);
    process.kill(await watchdogOf(scene.agent.pid), 'SIGKILL');
    await scene.agent.signal('SIGKILL');
    expect(await isHeld(dispatch.attemptId)).toBe(true);
    await restart();
    await waitUntil('continued', () => isFree(dispatch.attemptId));
    await waitUntil('said so', () => scene.agent.log.includes('continued what an earlier agent had held'));
  });

  it('leave no stopped measurement behind when agent and watchdog are killed while the agent measures', async () => {
    await scene.agent.signal('SIGKILL');
    await restart();
    const heldMeasuring = () =>
      childrenOf(scene.agent.pid).find((pid) => isCalled(pid, 'measure-cli') && readStat(Number(pid))?.state === 'T');
    // It may have to wait until other agents of this machine are measured.
    const frozenWhileHeld = async () => {
      if (heldMeasuring() === undefined) return null;
      scene.agent.freeze();
      await waitUntil('frozen', () => readStat(scene.agent.pid)?.state === 'T');
      const pid = heldMeasuring();
      if (pid === undefined) scene.agent.thaw();
      return pid;
    };
    const measuring = await waitUntil('frozen while the measurement is held', frozenWhileHeld, 45_000);
    process.kill(await watchdogOf(scene.agent.pid), 'SIGKILL');
    await scene.agent.signal('SIGKILL');
    await waitUntil('the measurement is gone', () => !isCalled(measuring, 'measure-cli'), 5000);
    await restart();
  });

  it('are let go, and held again, when the watchdog is killed alone', async () => {
    const dispatch = run({ script: `echo up; ${SPIN}` });
    await scene.printed(dispatch, 'up');
    await waitUntil('held', () => isHeld(dispatch.attemptId));
    const watchdog = await watchdogOf(scene.agent.pid);
    process.kill(watchdog, 'SIGKILL');
    await waitUntil('noticed', () => scene.agent.log.includes('the watchdog of the throttle ended'));
    await waitUntil('another watchdog', async () => (await watchdogOf(scene.agent.pid)) > 0);
    await waitUntil('held again', () => isHeld(dispatch.attemptId));
  });

  it('are not held while they use nothing, though others are', async () => {
    const idle = run({ script: 'echo up; sleep 60' });
    const busy = run({ script: `echo up; ${SPIN}` });
    await Promise.all([idle, busy].map((each) => scene.printed(each, 'up')));
    const since = Date.now();
    let holds = 0;
    await waitUntil('many holds', async () => {
      if (Date.now() - since < 1500) return false;
      holds += (await isHeld(busy.attemptId)) ? 1 : 0;
      expect(await states(idle.attemptId)).not.toContain('T');
      return holds > 20;
    });
  });

  it('stay stopped when they were stopped by their own task, until it continues them', async () => {
    const script = `
      const { spawn } = require('node:child_process'); const { readFileSync } = require('node:fs');
      const child = spawn('/bin/sh', ['-c', '${SPIN}']);
      const state = () => readFileSync('/proc/' + child.pid + '/stat', 'latin1').split(') ')[1][0];
      const seen = new Set(); const used = () => process.cpuUsage().user / 1000;
      child.kill('SIGSTOP'); while (state() !== 'T');
      const from = used(); while (used() < from + 250) seen.add(state());
      child.kill('SIGCONT'); const continued = state();
      console.log([...seen].join() + ' then ' + continued); child.kill('SIGKILL');`;
    const dispatch = run({ kind: 'node', script });
    expect(await scene.finished(dispatch, 30_000)).toMatchObject({ outcome: 'succeeded' });
    expect(scene.stdout(dispatch)).toMatch(/^T then [RS]\n$/);
  });

  it('are not taken for stopped jobs by a shell with job control', async () => {
    const busy = "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'";
    const dispatch = run({ script: `exec bash -c "set -m; ${busy.replaceAll('$', '\\$')}; echo status \\$?"` });
    expect(await scene.finished(dispatch, 30_000)).toMatchObject({ outcome: 'succeeded' });
    expect(scene.stdout(dispatch)).toBe('status 0\n');
  });
});
