import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AttemptWork, Dispatch } from '@medley/contracts';
import { inEnglish, type PhraseValue, phrase } from '@medley/core';
import { monotonicMs } from '../clock.js';
import { memoryLimitMib } from '../executors/masked-command.js';
import { fetchFiles } from '../files/fetch-files.js';
import type { Logger } from '../log.js';
import type { FileTransfer } from '../transport/file-transfer.js';
import type { Attempt } from './attempt.js';
import { type AttemptRecord, writeAttemptRecord } from './attempt-record.js';
import type { Cgroups } from './cgroups.js';
import { launchWrapper, prepareDirectory } from './launch.js';
import { type NodeIdentity, taskEnvironment } from './task-environment.js';

const STARTS_AT_ONCE = 8;

export interface GrantedAttempt {
  attempt: Attempt;
  work: AttemptWork;
  dispatch: Dispatch;
}

/**
 * Starts granted attempts, a few at a time: starting a process blocks the event loop for a millisecond or two, and the heartbeat must get
 * its turn between them.
 */
export class AttemptStarter {
  private readonly waiting: GrantedAttempt[] = [];
  private active = 0;

  constructor(
    private readonly cgroups: Cgroups,
    private readonly python: () => string | null,
    private readonly identity: () => NodeIdentity,
    private readonly agentEnvironment: NodeJS.ProcessEnv,
    private readonly files: FileTransfer,
    private readonly log: Logger,
    private readonly onStarted: (attempt: Attempt) => void,
  ) {}

  enqueue(granted: GrantedAttempt): void {
    if ((granted.work.files?.fetch ?? []).length > 0) {
      void this.fetchFirst(granted);
      return;
    }
    this.waiting.push(granted);
    this.pump();
  }

  /** Outside of the queue: whatever fetches for long keeps nobody else from starting. Without a record on disk the next agent knows that it never started. */
  private async fetchFirst(granted: GrantedAttempt): Promise<void> {
    const { attempt, work } = granted;
    const fault = await fetchFiles(join(attempt.directory, 'work'), work.files!.fetch, attempt.ref, this.files, attempt.transferSignal);
    if (fault !== null && !attempt.isStopping) {
      this.log.warn({ ...attempt.ref, fault: inEnglish(fault) }, 'cannot fetch files');
      attempt.exited({ status: null, problem: fault, runSeconds: 0 });
      return;
    }
    this.waiting.push(granted);
    this.pump();
  }

  private pump(): void {
    while (this.active < STARTS_AT_ONCE && this.waiting.length > 0) {
      const granted = this.waiting.shift()!;
      this.active += 1;
      void this.start(granted).finally(async () => {
        await nextTurn();
        this.active -= 1;
        this.pump();
      });
    }
  }

  private async start({ attempt, work, dispatch }: GrantedAttempt): Promise<void> {
    try {
      const command = await prepareDirectory(work, attempt.directory, this.python());
      await this.enterCgroups(attempt.record, memoryLimitMib(work));
      await writeAttemptRecord(attempt.directory, attempt.record);
      if (attempt.isStopping) {
        attempt.exited({ status: null, problem: phrase('never-started'), runSeconds: 0 });
        return;
      }
      const environment = taskEnvironment(work, dispatch, this.identity(), this.agentEnvironment, attempt.directory);
      this.follow(attempt, launchWrapper(attempt.directory, command, attempt.record.cgroups, environment));
    } catch (error) {
      this.log.warn({ ...attempt.ref, error: String(error) }, 'cannot start');
      attempt.exited({ status: null, problem: phrase('start-failed', { why: describe(error) }), runSeconds: 0 });
    }
  }

  private async enterCgroups(record: AttemptRecord, memoryMib: number): Promise<void> {
    try {
      record.cgroups = await this.cgroups.create(record.attemptId, memoryMib);
    } catch (error) {
      // Better without a group than not at all: session and environment still find the tree; only the memory limit is missing.
      record.cgroups = [];
      this.log.warn({ attemptId: record.attemptId, error: String(error) }, 'no cgroup for this attempt');
    }
  }

  private follow(attempt: Attempt, child: ChildProcess): void {
    const startedAtMs = monotonicMs();
    const runSeconds = () => (monotonicMs() - startedAtMs) / 1000;
    child.on('error', (error) => {
      attempt.exited({ status: null, problem: phrase('start-failed', { why: describe(error) }), runSeconds: 0 });
    });
    if (child.pid === undefined) {
      return;
    }
    attempt.wrapperPid = child.pid;
    child.on('exit', (status, signal) => {
      const problem = signal === null ? null : phrase('wrapper-killed', { signal });
      attempt.exited({ status, problem, runSeconds: runSeconds() });
    });
    attempt.spool.started();
    this.onStarted(attempt);
  }
}

function describe(error: unknown): PhraseValue {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'E2BIG' ? phrase('command-too-large') : error instanceof Error ? error.message : String(error);
}
