import { pick, seededRandom } from '@medley/testing';
import { Subject } from 'rxjs';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectInvariants } from '../testing/invariants.fixture.js';
import { finished, type Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import { hearDeadlocks } from '../testing/statements.fixture.js';
import type { TaskFields } from '../testing/workflow.fixture.js';

describe('steering a run', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
    pool = await spine.addPool();
    await spine.addNode(pool.id);
  });
  afterEach(() => expectInvariants(spine));
  afterAll(() => spine.close());

  async function started(tasks: Record<string, TaskFields>, poolName = pool.name) {
    return replica.startRun(await spine.addWorkflow(poolName, tasks), spine.projectId);
  }

  async function running(tasks: Record<string, TaskFields>) {
    const runId = await started(tasks);
    return { runId, attempts: await replica.runReady(runId) };
  }

  const idOf = async (runId: string, key: string) => (await spine.taskRuns(runId)).get(key)!.id;
  const stateOf = async (runId: string) => (await spine.run(runId)).state;

  describe('pausing it', () => {
    it('lets what runs finish and begins nothing behind it, until it is resumed', async () => {
      const { runId, attempts } = await running({ first: {}, second: { needs: ['first'] } });
      await replica.pause(runId);
      await replica.end([{ attemptId: attempts.get('first')!.id }]);
      await replica.place();
      expect(await spine.taskStates(runId)).toEqual({ first: 'succeeded', second: 'paused' });
      expect(await stateOf(runId)).toBe('paused');

      await replica.resume(runId);
      await replica.runReady(runId);
      expect(await spine.taskStates(runId)).toEqual({ first: 'succeeded', second: 'running' });
      expect(await stateOf(runId)).toBe('running');
    });

    it('takes back what no agent has claimed, gives its slot to others at once, and refuses a claim that comes too late', async () => {
      const small = await spine.addPool();
      await spine.addNode(small.id, { maxAttempts: 1 });
      const [runId, waiting] = [await started({ only: {} }, small.name), await started({ other: {} }, small.name)];
      await replica.place();
      const attempt = await spine.attempt(runId, 'only');
      await replica.pause(runId);
      await replica.place();

      expect((await replica.claim(attempt)).granted).toBe(false);
      expect(await spine.taskStates(waiting)).toEqual({ other: 'dispatched' });
      await replica.resume(runId);
      expect(await stateOf(runId)).toBe('queued');
      expect(await spine.taskStates(runId)).toEqual({ only: 'ready' });
    });

    it('begins no retry, neither one that waited nor one of what fails or is lost meanwhile', async () => {
      const retry = { attempts: 3, delaySeconds: 0, backoff: 'fixed', maxDelaySeconds: 300 } as const;
      const { runId, attempts } = await running({ early: { retry: { ...retry, delaySeconds: 1000 } }, late: { retry }, lost: {} });
      await replica.end([{ attemptId: attempts.get('early')!.id, outcome: 'failed', exitCode: 1 }]);
      await replica.pause(runId);
      await replica.end([
        { attemptId: attempts.get('late')!.id, outcome: 'failed', exitCode: 1 },
        { attemptId: attempts.get('lost')!.id, outcome: 'lost' },
      ]);
      await replica.passes.retry.run();
      await replica.place();
      expect(await spine.taskStates(runId)).toEqual({ early: 'paused', late: 'paused', lost: 'paused' });

      await replica.resume(runId);
      expect(await spine.taskStates(runId)).toEqual({ early: 'retry-wait', late: 'ready', lost: 'ready' });
    });

    it('is ended by a cancel, and by its own end', async () => {
      const { runId, attempts } = await running({ runs: {}, waits: { needs: ['runs'] } });
      await replica.pause(runId);
      await replica.cancel(runId);
      expect(await spine.taskStates(runId)).toEqual({ runs: 'running', waits: 'cancelled' });
      await replica.end([{ attemptId: attempts.get('runs')!.id, outcome: 'cancelled' }]);
      expect(await stateOf(runId)).toBe('cancelled');

      const other = await running({ only: {} });
      await replica.pause(other.runId);
      await replica.end([{ attemptId: other.attempts.get('only')!.id }]);
      expect(await stateOf(other.runId)).toBe('succeeded');
      await expect(replica.pause(other.runId)).rejects.toMatchObject({ code: 'run-not-pausable' });
    });
  });

  it('cancelled while paused runs its final tasks, also those that waited for the resume', async () => {
    const { runId, attempts } = await running({ work: {}, tidy: { isFinal: true } });
    await replica.pause(runId);
    await replica.end([{ attemptId: attempts.get('work')!.id }]);
    expect(await spine.taskStates(runId)).toEqual({ work: 'succeeded', tidy: 'paused' });
    await replica.cancel(runId);
    await replica.end([{ attemptId: (await replica.runReady(runId)).get('tidy')!.id }]);
    expect(await spine.taskStates(runId)).toEqual({ work: 'succeeded', tidy: 'succeeded' });
  });

  describe('marking a task', () => {
    it.each(['succeeded', 'failed', 'skipped'] as const)(
      'ends one that has not begun as %s, and what stands behind it follows',
      async (state) => {
        const { runId } = await running({
          blocker: {},
          task: { needs: ['blocker'] },
          next: { needs: ['task'] },
          otherwise: { needs: { task: 'failed' } },
        });
        const { settled } = await replica.mark(await idOf(runId, 'task'), state, 'known to be fine');
        expect(settled.ended.map(({ key }) => key)).toContain('task');
        expect(await spine.taskStates(runId)).toEqual({
          blocker: 'running',
          task: state,
          next: state === 'succeeded' ? 'ready' : 'skipped',
          otherwise: state === 'failed' ? 'ready' : 'skipped',
        });
        expect((await spine.taskRuns(runId)).get('task')!.reason).toMatchObject({ code: 'marked', text: 'known to be fine' });
      },
    );

    it('stops what runs first, and ends it as marked only when its exit is verified, whatever the attempt says of itself', async () => {
      const { runId, attempts } = await running({ task: {}, next: { needs: ['task'] } });
      const attempt = attempts.get('task')!;
      const { stopping } = await replica.mark(attempt.task_run_id, 'succeeded');
      expect(stopping).toMatchObject([{ attemptId: attempt.id }]);
      expect(await spine.taskStates(runId)).toEqual({ task: 'running', next: 'waiting' });
      expect((await replica.work.wait(attempt.node_id, 0, new Subject())).stops).toMatchObject([
        { attemptId: attempt.id, reason: 'cancelled' },
      ]);

      await replica.report(attempt, [finished('succeeded')]);
      expect(await spine.taskStates(runId)).toEqual({ task: 'succeeded', next: 'ready' });
      expect(await spine.attempt(runId, 'task')).toMatchObject({ state: 'cancelled' });
    });

    it('takes back an attempt that no agent has claimed, so that its slot is free', async () => {
      const runId = await started({ only: {} });
      await replica.place();
      const attempt = await spine.attempt(runId, 'only');
      await replica.mark(attempt.task_run_id, 'skipped');
      expect((await replica.claim(attempt)).granted).toBe(false);
      expect(await stateOf(runId)).toBe('succeeded');
    });

    it('holds also when the node of what is being stopped is lost, and gives way to a cancel', async () => {
      const lost = await running({ task: {} });
      await replica.mark(lost.attempts.get('task')!.task_run_id, 'skipped');
      await replica.end([{ attemptId: lost.attempts.get('task')!.id, outcome: 'lost' }]);
      expect(await spine.taskStates(lost.runId)).toEqual({ task: 'skipped' });

      const cancelled = await running({ task: {} });
      await replica.mark(cancelled.attempts.get('task')!.task_run_id, 'succeeded');
      await replica.cancel(cancelled.runId);
      await replica.end([{ attemptId: cancelled.attempts.get('task')!.id, outcome: 'cancelled' }]);
      expect(await stateOf(cancelled.runId)).toBe('cancelled');
    });

    it('changes nothing of a task that has ended, nor of a run that is being cancelled', async () => {
      const { runId, attempts } = await running({ done: {}, busy: {} });
      await replica.end([{ attemptId: attempts.get('done')!.id, outcome: 'failed', exitCode: 1 }]);
      expect(await replica.mark(await idOf(runId, 'done'), 'succeeded')).toMatchObject({ stopping: [], settled: { ended: [] } });
      await replica.cancel(runId);
      expect(await replica.mark(await idOf(runId, 'busy'), 'succeeded')).toMatchObject({ stopping: [], settled: { ended: [] } });
      await replica.end([{ attemptId: attempts.get('busy')!.id, outcome: 'cancelled' }]);
    });

    it('lets what follows wait in a paused run', async () => {
      const { runId, attempts } = await running({ busy: {}, task: { needs: ['busy'] }, next: { needs: ['task'] } });
      await replica.pause(runId);
      await replica.mark(await idOf(runId, 'task'), 'succeeded');
      expect(await spine.taskStates(runId)).toEqual({ busy: 'running', task: 'succeeded', next: 'paused' });
      await replica.cancel(runId);
      await replica.end([{ attemptId: attempts.get('busy')!.id, outcome: 'cancelled' }]);
    });
  });

  describe('a deadline', () => {
    it('counts from when the task may begin, stops what runs before it ends it, and ends what waits at once', async () => {
      const late = { deadlineSeconds: 0.001, onDeadline: 'fail' } as const;
      const nowhere = (await spine.addPool()).name;
      const { runId, attempts } = await running({
        runs: late,
        waits: { ...late, pool: nowhere, onDeadline: 'skip' },
        behind: { needs: ['runs'], ...late },
      });
      await replica.passes.deadline.run();
      expect(await spine.taskStates(runId)).toEqual({ runs: 'running', waits: 'skipped', behind: 'waiting' });
      expect(await spine.attempt(runId, 'runs')).toMatchObject({ state: 'stopping' });

      await replica.report(attempts.get('runs')!, [finished('succeeded')]);
      expect(await spine.taskStates(runId)).toEqual({ runs: 'failed', waits: 'skipped', behind: 'skipped' });
      expect((await spine.taskRuns(runId)).get('runs')!.reason).toMatchObject({ code: 'deadline' });
    });

    it('is kept by a task that ends before it, and by two servers at once ended once', async () => {
      const nowhere = (await spine.addPool()).name;
      const { runId } = await running({ early: { deadlineSeconds: 1000 }, late: { deadlineSeconds: 0.001, pool: nowhere } });
      const other = await spine.replica();
      await Promise.all([replica.passes.deadline.run(), other.passes.deadline.run()]);
      expect(await spine.taskStates(runId)).toEqual({ early: 'running', late: 'failed' });
      expect((await spine.taskRuns(runId)).get('late')!.reason).toMatchObject({ code: 'deadline' });
      await replica.cancel(runId);
      await replica.end([{ attemptId: (await spine.attempt(runId, 'early')).id, outcome: 'cancelled' }]);
    });
  });

  describe('running it again', () => {
    async function ended() {
      const { runId, attempts } = await running({ raw: {}, clean: { needs: ['raw'] }, other: {}, report: { needs: ['clean'] } });
      await replica.end([{ attemptId: attempts.get('raw')!.id }, { attemptId: attempts.get('other')!.id, outcome: 'failed', exitCode: 1 }]);
      const { id } = (await replica.runReady(runId)).get('clean')!;
      await replica.end([{ attemptId: id }]);
      await replica.end([{ attemptId: (await replica.runReady(runId)).get('report')!.id }]);
      return runId;
    }

    it('begins at a chosen task with all that depends on it, and keeps the end of the others, also a failure', async () => {
      const again = await replica.rerun(await ended(), { mode: 'from', tasks: ['clean'] });
      expect(await spine.taskStates(again)).toEqual({ raw: 'succeeded', clean: 'ready', other: 'failed', report: 'waiting' });
      await replica.end([{ attemptId: (await replica.runReady(again)).get('clean')!.id }]);
      await replica.end([{ attemptId: (await replica.runReady(again)).get('report')!.id }]);
      expect(await stateOf(again)).toBe('failed');
    });

    it('runs a chosen task alone, and refuses one whose needs do not hold by what is kept', async () => {
      const runId = await ended();
      const alone = await replica.rerun(runId, { mode: 'from', tasks: ['clean', 'other'], descendants: false });
      expect(await spine.taskStates(alone)).toEqual({ raw: 'succeeded', clean: 'ready', other: 'ready', report: 'succeeded' });
      await replica.cancel(alone);

      const { runId: broken, attempts } = await running({ first: {}, second: { needs: ['first'] } });
      await replica.end([{ attemptId: attempts.get('first')!.id, outcome: 'failed', exitCode: 1 }]);
      await expect(replica.rerun(broken, { mode: 'from', tasks: ['second'] })).rejects.toMatchObject({ code: 'run-not-rerunnable' });
      await expect(replica.rerun(broken, { mode: 'from', tasks: ['secnd'] })).rejects.toMatchObject({ code: 'validation-failed' });
    });
  });

  it('by twenty servers at once leaves no illegal state: cancels, reruns, marks, pauses and ends of the same few runs and of those within them', async () => {
    const replicas = await Promise.all(Array.from({ length: 20 }, () => spine.replica()));
    const deadlocks = replicas.map(({ source }) => hearDeadlocks(source));
    const retry = { attempts: 3, delaySeconds: 0.01, backoff: 'fixed', maxDelaySeconds: 1 } as const;
    const inner = 'within-others';
    await spine.addWorkflow(pool.name, { x: {}, y: { needs: ['x'] }, tidy: { isFinal: true } }, { name: inner });
    const nested = { kind: 'workflow', script: null, subWorkflow: { workflow: inner, version: null, parameters: {} }, retry } as const;
    const workflow: Record<string, TaskFields> = {
      a: { retry },
      n: nested,
      l: { needs: ['a'], loop: { until: 'loop.index == 2', max: 5, delaySeconds: 0.01, onMax: 'fail' } },
      p: { ...nested, needs: ['n'], map: { over: [1, 2], as: 'item', parallel: 1, onFailure: 'finish' } },
      b: { needs: ['a'] },
      m: { needs: ['a'], map: { over: [1, 2, 3, 4], as: 'item', parallel: 2, onFailure: 'finish' } },
      d: { needs: { b: 'done', m: 'done' }, deadlineSeconds: 0.05, onDeadline: 'skip' },
      tidy: { isFinal: true },
      last: { isFinal: true, needs: ['tidy'] },
    };
    const runs = await Promise.all(Array.from({ length: 6 }, () => started(workflow)));
    const random = seededRandom(20_261_201);
    const refusals = new Set(['run-not-pausable', 'run-not-cancellable', 'run-not-rerunnable', 'run-has-no-work']);
    /** How often each deed was done, and how often it was refused. */
    const done: Record<string, number> = {};
    const refused: Record<string, number> = {};

    const act = async (server: Replica) => {
      const outer = pick(runs.slice(-8), random);
      const within = await spine.sql.query<{ id: string }>('select id from runs where parent_run_id = $1', [outer]);
      const runId = within.length > 0 && random() < 0.4 ? pick(within, random).id : outer;
      const [tasks, attempts] = await Promise.all([
        spine.sql.query<{ id: string }>('select id from task_runs where run_id = $1', [runId]),
        spine.attempts(runId),
      ]);
      const live = attempts.filter(({ state }) => state === 'running' || state === 'stopping').slice(0, 2);
      const outcome = () => pick(['succeeded', 'succeeded', 'failed', 'lost'] as const, random);
      const deeds: Record<string, () => Promise<unknown>> = {
        cancel: () => server.cancel(runId, random() < 0.3),
        rerun: async () => void runs.push(await server.rerun(runId, { mode: pick(['all', 'failed'] as const, random) })),
        mark: () => server.mark(pick(tasks, random).id, pick(['succeeded', 'failed', 'skipped'] as const, random)),
        pause: () => server.pause(runId),
        resume: () => server.resume(runId),
        place: () => server.passes.place.run(),
        claim: () => Promise.all(attempts.filter(({ state }) => state === 'dispatched').map((each) => server.claim(each))),
        end: () => server.end(live.map(({ id }) => ({ attemptId: id, outcome: outcome() }))),
        passes: async () => {
          for (const pass of ['unplaced', 'retry', 'deadline', 'reconcile'] as const) await server.passes[pass].run();
        },
      };
      const weights = { cancel: 2, rerun: 5, mark: 3, pause: 3, resume: 5, place: 4, claim: 4, end: 4, passes: 4 };
      const deed = pick(
        Object.entries(weights).flatMap(([name, weight]) => Array<string>(weight).fill(name)),
        random,
      );
      await deeds[deed]!().then(
        () => {
          done[deed] = (done[deed] ?? 0) + 1;
        },
        (error) => {
          if (!refusals.has(error.code)) throw error;
          refused[deed] = (refused[deed] ?? 0) + 1;
        },
      );
    };
    const deeds = ['cancel', 'rerun', 'mark', 'pause', 'resume', 'end'];
    const endings = ['cancelled', 'failed', 'lost', 'succeeded'];
    const endingsSeen = async () => {
      const statement = 'select distinct state from attempts where run_id = any($1) and state = any($2) order by state';
      return (await spine.sql.query<{ state: string }>(statement, [runs, endings])).map(({ state }) => state);
    };
    const childCount = async () => {
      const statement = 'select count(*)::int as count from runs where parent_run_id is not null';
      return (await spine.sql.query<{ count: number }>(statement))[0]!.count;
    };
    // Who comes first is for the machine to decide, so that now and then it takes some rounds more until all of it has happened.
    const hasAllHappened = async () =>
      deeds.every((deed) => (done[deed] ?? 0) > 2) &&
      'cancel' in refused &&
      (await childCount()) > 5 &&
      (await endingsSeen()).length === endings.length;
    for (let round = 0; round < 30 || (round < 120 && !(await hasAllHappened())); round++) {
      await Promise.all(replicas.map(act));
      await expectInvariants(spine);
    }
    for (const deed of deeds) expect(done[deed], deed).toBeGreaterThan(2);
    expect(await childCount()).toBeGreaterThan(5);
    expect(Object.keys(refused)).toContain('cancel'); // also of what another one had ended

    await Promise.all(runs.map((runId) => replica.cancel(runId, true).catch(() => {})));
    const all =
      'with recursive all_runs as (select unnest($1::uuid[]) as id union select r.id from all_runs a join runs r on r.parent_run_id = a.id)';
    const open = () => spine.sql.query(`${all} select id, state from runs join all_runs using (id) where finished_at is null`, [runs]);
    for (let round = 0; round < 20 && (await open()).length > 0; round++) {
      await replica.passes.unplaced.run();
      const left = await spine.sql.query<{ id: string }>(
        `${all} select a.id from attempts a join all_runs r on r.id = a.run_id where a.finished_at is null`,
        [runs],
      );
      await replica.end(left.map(({ id }) => ({ attemptId: id, outcome: 'cancelled' as const })));
    }
    expect(await open()).toEqual([]);
    expect(await endingsSeen()).toEqual(endings);
    expect(deadlocks.flatMap((found) => found())).toEqual([]);
  }, 60_000);
});
