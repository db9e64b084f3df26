import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { phrase } from '@medley/core';
import type { Logger } from '../log.js';
import type { Attempt } from './attempt.js';
import type { AttemptBook } from './attempt-book.js';
import { isUnbegun, readExitStatus, readRunSeconds, readWrapper } from './attempt-files.js';
import { type AttemptRecord, readAttemptRecord } from './attempt-record.js';
import type { AttemptRounds } from './attempt-rounds.js';
import type { ProcessTree } from './process-tree.js';

export interface AdoptionContext {
  attemptsDirectory: string;
  machineBootId: string;
  book: AttemptBook;
  rounds: AttemptRounds;
  tree: ProcessTree;
  log: Logger;
}

/**
 * Takes over what an earlier agent left, before anything is claimed: living wrappers are followed, ended ones report from their files, one
 * that is gone without a status is failed, and what never started is removed (the server finds it missing and gives it out anew).
 */
export async function adoptAttempts(context: AdoptionContext): Promise<void> {
  for (const name of await readdir(context.attemptsDirectory)) {
    const directory = join(context.attemptsDirectory, name);
    const record = await readAttemptRecord(directory);
    if (record === null || record.attemptId !== name || !(await adoptOne(context, directory, record))) {
      context.log.info({ attemptId: name }, 'removing an attempt that never started');
      await rm(directory, { recursive: true, force: true });
    }
  }
}

/** Whether there was anything to adopt. */
async function adoptOne(context: AdoptionContext, directory: string, record: AttemptRecord): Promise<boolean> {
  const { tree, log } = context;
  const sameBoot = record.machineBootId === context.machineBootId;
  const wrapper = await readWrapper(directory);
  const alive = sameBoot && wrapper !== null && (await tree.startMark(wrapper.pid)) === wrapper.startMark;
  const target = { attemptId: record.attemptId, wrapperPid: alive ? wrapper.pid : null, cgroups: sameBoot ? record.cgroups : [] };
  if (wrapper === null && (!sameBoot || (await tree.members(target)).length === 0)) {
    return false;
  }
  const attempt = context.book.create({ ...record, cgroups: target.cgroups });
  attempt.wrapperPid = target.wrapperPid;
  const intent = await attempt.spool.restore(true);
  if (attempt.spool.isFinished) {
    log.info(attempt.ref, 'adopted an end that was not acknowledged');
    return true;
  }
  if (intent !== null) {
    attempt.resumeStop(intent);
  }
  context.rounds.watchAdopted(attempt, () => lookAtWrapper(context, attempt, directory));
  log.info({ ...attempt.ref, alive }, 'adopted');
  return true;
}

/** Whether the wrapper has ended; if so, its attempt is told how. */
async function lookAtWrapper({ tree, machineBootId }: AdoptionContext, attempt: Attempt, directory: string): Promise<boolean> {
  const wrapper = await readWrapper(directory);
  const sameBoot = attempt.record.machineBootId === machineBootId;
  if (sameBoot && wrapper !== null && (await tree.startMark(wrapper.pid)) === wrapper.startMark) {
    attempt.wrapperPid = wrapper.pid;
    return false;
  }
  const status = await readExitStatus(directory);
  if (
    status === null &&
    wrapper === null &&
    (await tree.members({ ...attempt.ref, wrapperPid: null, cgroups: attempt.record.cgroups })).length > 0
  ) {
    // Caught between its start and its pid file: the next round sees more.
    return false;
  }
  if (await isUnbegun(directory)) {
    // Forgotten, so that the server misses it and gives it out anew: it has not failed.
    void attempt.discard();
  }
  const problem = status === null ? phrase('wrapper-vanished') : null;
  attempt.exited({ status, problem, runSeconds: await readRunSeconds(directory) });
  return true;
}
