import { AppError } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import { isDatabaseUnavailable } from '../database/database-faults.js';
import { announceSteered } from '../runs/announce-steered.js';
import { cancelRun, type SteeredRun } from '../runs/cancel-run.js';
import { pauseRun, resumeRun } from '../runs/pause-run.js';
import type { WorkflowSpecs } from '../settlement/workflow-specs.js';
import type { WakeBus } from '../wake/wake-bus.js';

const BATCH = 200;

const waiting = `
from task_runs t join runs p on p.id = t.run_id left join runs c on c.id = t.child_run_id
where t.child_run_id is not null and t.finished_at is null and t.state = 'running'`;

const hasEnded = `(c.id is null or c.finished_at is not null)`;

/** The run of a final task goes on where the others of its parent are cancelled. */
const isToEnd = `(t.mark is not null or p.state = 'cancelling' and (p.finals_cancelled or not c.of_final_task))`;

/** What is to be done to a child so that its course is what its parent asks for; null for nothing. */
const course = `case
  when c.finished_at is not null then null
  when ${isToEnd} then case when c.state <> 'cancelling' or p.finals_cancelled and not c.finals_cancelled then 'cancel' end
  when p.state = 'paused' then case when c.state in ('queued', 'running') then 'pause' end
  when c.state = 'paused' and c.paused_by_parent then 'resume' end`;

/** Task runs whose child has ended or is not there any more. */
export const endedChildren = `select t.id, t.run_id as "runId" ${waiting} and ${hasEnded}`;

/** Whether there is any, or a child to steer; the index holds only what waits for one. */
export const someChildAsks = `exists (select 1 ${waiting} and (${hasEnded} or ${course} is not null))`;

const astray = `
select c.id, ${course} as course, p.finals_cancelled as "finalsCancelled" ${waiting} and ${course} is not null order by t.id limit $1`;

interface Astray {
  id: string;
  course: 'cancel' | 'pause' | 'resume';
  finalsCancelled: boolean;
}

export interface Steering {
  source: DataSource;
  specs: WorkflowSpecs;
  wakeBus: WakeBus;
  logger: Pick<Logger, 'error'>;
}

export interface Steered {
  /** Runs below may have to follow. */
  changed: boolean;
  /** Some could not be steered, and are to be tried again. */
  failed: boolean;
}

/**
 * Cancels, pauses and resumes the runs of sub-workflows as their parents are. What is to be done is read from the states of both, so that nothing is lost when a server dies in between, and each
 * run is changed in a transaction of its own, so that no one holds the rows of two and a fault in one keeps no other from being steered.
 */
export async function steerChildren({ source, specs, wakeBus, logger }: Steering): Promise<Steered> {
  const found = await sqlOutsideTransaction(source).query<Astray>(astray, [BATCH]);
  const done: Steered = { changed: false, failed: false };
  for (const child of found) {
    try {
      const steered = await inTransaction(source, (sql) => steer(sql, specs, child));
      if (steered === null) continue;
      announceSteered(wakeBus, child.id, steered);
      done.changed = true;
    } catch (error) {
      if (error instanceof AppError) continue; // it has ended meanwhile, or someone else has done it
      if (isDatabaseUnavailable(error)) throw error;
      logger.error({ err: error, runId: child.id, course: child.course }, 'a run within another one could not follow it');
      done.failed = true;
    }
  }
  return done;
}

async function steer(sql: Sql, specs: WorkflowSpecs, { id, course: wanted, finalsCancelled }: Astray): Promise<SteeredRun | null> {
  if (wanted === 'cancel') return cancelRun(sql, specs, id, finalsCancelled);
  if (wanted === 'resume') return resumeRun(sql, id);
  const [paused] = await sql.query(`select 1 from runs where id = $1 and state = 'paused' for no key update`, [id]);
  if (paused) return null; // by someone meanwhile: it is not ours to resume
  const steered = await pauseRun(sql, id);
  await sql.query('update runs set paused_by_parent = true where id = $1', [id]);
  return steered;
}
