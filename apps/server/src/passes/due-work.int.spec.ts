import { uuidv7 } from '@medley/database';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine, type WorkflowRef } from '../testing/spine.fixture.js';
import { DueWork } from './due-work.js';
import { claimDueSchedules } from './fire-claims.js';

describe('the question what is due', () => {
  let spine: Spine;
  let replica: Replica;
  let workflow: WorkflowRef;
  let pool: { id: string; name: string };
  let dueWork: DueWork;

  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
    dueWork = new DueWork(replica.source);
    pool = await spine.addPool();
    workflow = await spine.addWorkflow(pool.name, {
      task: { retry: { attempts: 2, delaySeconds: 60, backoff: 'fixed', maxDelaySeconds: 900 } },
    });
  });
  afterEach(async () => {
    await spine.sql.query('delete from schedules');
    for (const { id } of await spine.sql.query<{ id: string }>('select id from runs where finished_at is null')) await replica.cancel(id);
  });
  afterAll(() => spine.close());

  const schedules = (count: number, inSeconds: number, enabled = true) =>
    spine.sql.query(
      `insert into schedules (id, project_id, workflow_id, name, cron, zone, enabled, next_fire_at)
       select gen_random_uuid(), $1, $2, $3 || n, '0 3 * * *', 'UTC', $6, clock_timestamp() + make_interval(secs => $5) from generate_series(1, $4) n`,
      [spine.projectId, workflow.id, `${uuidv7()}-`, count, inSeconds, enabled],
    );

  it('is answered with no pass while nothing is to do', async () => {
    await schedules(3, 100);
    await schedules(3, -100, false);
    expect(await dueWork.within(5)).toEqual([]);
  });

  it('names the fire pass for a schedule that is due now or before the next question', async () => {
    await schedules(1, 4);
    expect(await dueWork.within(0)).toEqual([]);
    expect(await dueWork.within(5)).toEqual(['fire']);
    await schedules(1, -1);
    expect(await dueWork.within(0)).toEqual(['fire']);
  });

  it('names the pass that each state of a task run waits for', async () => {
    const runId = await replica.startRun(workflow, spine.projectId);
    expect(await dueWork.within(5)).toEqual(['place']);
    await spine.addNode(pool.id);
    await replica.place();
    expect(await dueWork.within(5)).toEqual(['relay']);
    const attempt = (await replica.claimAll(runId)).get('task')!;
    expect(await dueWork.within(5)).toEqual([]);
    await replica.end([{ attemptId: attempt.id, outcome: 'failed', exitCode: 1 }]);
    expect(await dueWork.within(5)).toEqual([]);
    expect(await dueWork.within(120)).toEqual(['retry']);
  });

  it('and the claim of due schedules read no schedule that is idle', async () => {
    await schedules(2000, 1000);
    await spine.sql.query('analyze schedules');
    const plan = await spine.sql.query(`explain (analyze, format text) ${claimDueSchedules.replace('$1', '200')}`);
    const text = JSON.stringify(plan);
    expect(text).toContain('schedules_due');
    expect(text).not.toContain('Rows Removed by Filter');
  });
});
