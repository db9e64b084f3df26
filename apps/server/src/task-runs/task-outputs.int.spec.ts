import type { ReportBody } from '@medley/contracts';
import { inTransaction, uuidv7 } from '@medley/database';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { rerunRun } from '../runs/rerun-run.js';
import { finished, type Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';
import { reference } from '../testing/workflow.fixture.js';
import { readOutputsOf } from './task-results.js';

describe('outputs of tasks', () => {
  let spine: Spine;
  let replica: Replica;
  let pool: { id: string; name: string };

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
    pool = await spine.addPool();
    await spine.addNode(pool.id);
  });
  afterAll(() => spine.close());

  const giving = (outcome: 'succeeded' | 'failed', outputs: Record<string, string | number>): ReportBody => finished(outcome, { outputs });

  /** The environment that the claim of a task delivers. */
  async function environmentOf(runId: string, key: string) {
    await replica.passes.retry.run();
    await replica.place();
    const attempt = await spine.attempt(runId, key);
    const result = await replica.claim(attempt);
    if (!result.granted) throw new Error(result.reason);
    return { attempt, env: result.work.env };
  }

  it('reach the tasks behind, those of the last attempt only, and stay with a rerun', async () => {
    const workflow = await spine.addWorkflow(pool.name, {
      check: { retry: { attempts: 2, delaySeconds: 0, backoff: 'fixed', maxDelaySeconds: 1 } },
      train: {
        needs: ['check'],
        env: {
          ROWS: reference('tasks.check.outputs.rows'),
          SAID: `${reference('tasks.check.state')}/${reference('has(tasks.check.outputs.early)')}`,
        },
      },
    });
    const runId = await replica.startRun(workflow, spine.projectId);
    const first = await environmentOf(runId, 'check');
    await replica.report(first.attempt, [giving('failed', { early: 'yes', rows: 1 })]);
    const second = await environmentOf(runId, 'check');
    await replica.report(second.attempt, [giving('succeeded', { rows: 120000 })]);
    const train = await environmentOf(runId, 'train');
    expect(train.env).toEqual({ ROWS: '120000', SAID: 'succeeded/false' });
    await replica.report(train.attempt, [finished('failed')]);
    const userId = uuidv7();
    await spine.sql.query(`insert into users (id, name, password_hash) values ($1, 'someone', 'none')`, [userId]);
    const rerun = await inTransaction(replica.source, (sql) => rerunRun(sql, replica.settlement.specs, runId, { mode: 'failed' }, userId));
    expect((await environmentOf(rerun.id, 'train')).env.ROWS).toBe('120000');
    expect(await readOutputsOf(spine.sql, (await spine.taskRuns(rerun.id)).get('check')!.id)).toEqual({ rows: 120000 });
  });

  it('that are missing fail the task that needs them, by name', async () => {
    const workflow = await spine.addWorkflow(pool.name, {
      check: {},
      train: { needs: ['check'], env: { ROWS: reference('tasks.check.outputs.rows') } },
    });
    const runId = await replica.startRun(workflow, spine.projectId);
    const check = await environmentOf(runId, 'check');
    await replica.report(check.attempt, [finished('succeeded')]);
    await expect(environmentOf(runId, 'train')).rejects.toThrow();
    const train = (await spine.taskRuns(runId)).get('train')!;
    expect(train).toMatchObject({ state: 'failed' });
    expect(JSON.stringify(train.reason)).toContain('`tasks.check.outputs.rows`: the task has given no such output');
  });

  it('are stored though a text of theirs is none that Postgres takes', async () => {
    const runId = await replica.startRun(await spine.addWorkflow(pool.name, { check: {} }), spine.projectId);
    const { attempt } = await environmentOf(runId, 'check');
    await replica.report(attempt, [giving('succeeded', { text: 'a\0b' })]);
    expect(await readOutputsOf(spine.sql, attempt.task_run_id)).toEqual({ text: 'a\ufffdb' });
  });
});
