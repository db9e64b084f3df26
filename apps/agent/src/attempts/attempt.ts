import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AttemptRef } from '@medley/contracts';
import type { Phrase } from '@medley/core';
import { monotonicMs } from '../clock.js';
import { keepFiles } from '../files/keep-files.js';
import type { Lease } from '../lease/lease.js';
import type { Logger } from '../log.js';
import { AttemptSpool } from '../spool/attempt-spool.js';
import type { ReportSender } from '../spool/report-sender.js';
import type { StopIntent } from '../spool/spool-lines.js';
import type { FileTransfer } from '../transport/file-transfer.js';
import { readDetail } from './attempt-files.js';
import { type AttemptEnd, finishedBodyOf } from './attempt-outcome.js';
import type { AttemptRecord } from './attempt-record.js';
import { countMemoryKills, removeCgroups } from './cgroup-files.js';
import { readOutputValues } from './output-values.js';
import type { ProcessTree, TreeTarget } from './process-tree.js';
import { terminateTree } from './terminate.js';

const LEFTOVER_GRACE_MS = 2000;

export interface AttemptSurroundings {
  tree: ProcessTree;
  sender: ReportSender;
  lease: Lease;
  files: FileTransfer;
  log: Logger;
  /** The attempt is over and acknowledged, or does not count: its directory is gone. */
  onGone: (attempt: Attempt) => void;
}

/** How the wrapper ended, as far as it is known. */
export interface WrapperExit {
  status: number | null;
  problem: Phrase | null;
  runSeconds: number;
}

/**
 * One attempt with a process, from its granted claim to the acknowledged `finished`. The order is fixed: the main script ends, then
 * whatever it left behind is ended too, then the files that it keeps and the rest of its output are sent, then `finished`. So a reported end means that the
 * reservation is really free.
 */
export class Attempt {
  readonly ref: AttemptRef;
  readonly spool: AttemptSpool;
  wrapperPid: number | null = null;
  private stopIntent: StopIntent | null = null;
  private exitSeen = false;
  private readonly transfers = new AbortController();
  private discarded = false;
  /** Its process has ended, its files are on their way. */
  private isKeeping = false;
  private termination: Promise<void> | null = null;
  private resolveExit!: (exit: WrapperExit) => void;
  private readonly exit = new Promise<WrapperExit>((resolve) => {
    this.resolveExit = resolve;
  });

  constructor(
    readonly record: AttemptRecord,
    readonly directory: string,
    private readonly around: AttemptSurroundings,
  ) {
    this.ref = { attemptId: record.attemptId, fence: record.fence };
    this.spool = new AttemptSpool({
      directory,
      ref: this.ref,
      logCapBytes: record.logCapBytes,
      onAcknowledged: () => void this.remove(),
      onRefused: (reason) => {
        around.log.info({ ...this.ref, reason }, 'the result of this attempt does not count');
        void this.discard();
      },
    });
    void this.conclude();
  }

  /** Aborted when nothing of the attempt is worth moving any more. */
  get transferSignal(): AbortSignal {
    return this.transfers.signal;
  }

  get isStopping(): boolean {
    return this.stopIntent !== null || this.exitSeen || this.spool.isFinished;
  }

  /** The main script has ended, or is found to be gone. Only the first call counts. */
  exited(exit: WrapperExit): void {
    this.exitSeen = true;
    this.resolveExit(exit);
  }

  /** The agent before this one had begun to stop it. */
  resumeStop(intent: StopIntent): void {
    this.stopIntent = intent;
    this.termination = this.terminate(this.record.graceSeconds * 1000);
  }

  /** Ends the tree for this reason, unless the main script has ended already: then its own end counts. */
  async stop(intent: StopIntent): Promise<void> {
    if (intent === 'superseded') {
      return this.discard();
    }
    if (this.isKeeping && this.stopIntent === null) {
      this.stopIntent = intent;
      await this.noteStop(intent);
      this.transfers.abort();
      return;
    }
    if (this.isStopping) {
      return;
    }
    this.stopIntent = intent;
    this.transfers.abort();
    const graceMs = this.record.graceSeconds * 1000;
    const allowedMs = intent === 'lease_lost' ? Math.min(graceMs, this.around.lease.graceLeftMs(monotonicMs())) : graceMs;
    this.around.log.info({ ...this.ref, intent }, 'stopping');
    this.termination = this.noteThenTerminate(intent, allowedMs);
    await this.termination;
  }

  /** Its result does not count: end what runs and forget it. */
  async discard(): Promise<void> {
    if (this.discarded) {
      return;
    }
    this.discarded = true;
    this.transfers.abort();
    this.around.sender.forget(this.spool);
    if (this.spool.isFinished) {
      await this.remove();
    } else if (!this.isStopping) {
      this.stopIntent = 'superseded';
      this.termination = this.noteThenTerminate('superseded', this.record.graceSeconds * 1000);
    }
  }

  private async noteThenTerminate(intent: StopIntent, graceMs: number): Promise<void> {
    await this.noteStop(intent);
    await this.terminate(graceMs);
  }

  private async noteStop(intent: StopIntent): Promise<void> {
    await this.spool.noteStop(intent).catch((error: unknown) => {
      this.around.log.warn({ ...this.ref, error: String(error) }, 'cannot note the stop on disk; stopping all the same');
    });
  }

  private async terminate(graceMs: number): Promise<void> {
    await terminateTree(this.around.tree, () => this.target(), graceMs);
  }

  /** Where its processes are found. */
  target(): TreeTarget {
    return { attemptId: this.ref.attemptId, wrapperPid: this.wrapperPid, cgroups: this.record.cgroups };
  }

  private async conclude(): Promise<void> {
    const exit = await this.exit;
    await (this.termination ?? this.clearLeftovers());
    const memoryKills = await countMemoryKills(this.record.cgroups);
    void removeCgroups(this.record.cgroups);
    if (this.discarded) {
      await this.remove();
      return;
    }
    const { timeoutSeconds, memoryMib } = this.record;
    const problem = exit.problem ?? (exit.status === 0 ? null : await readDetail(this.directory));
    const given = await readOutputValues(this.directory);
    const filesFault = exit.status === 0 && given.ok && this.stopIntent === null ? await this.keepFiles() : null;
    if (this.discarded) {
      await this.remove();
      return;
    }
    const end: AttemptEnd = { ...exit, problem, stopIntent: this.stopIntent, timeoutSeconds, memoryKills, memoryMib, given, filesFault };
    this.spool.finish(finishedBodyOf(end));
    this.around.sender.notify(this.spool);
  }

  /** What it has to keep reaches the server before its end does. A stop while that lasts gives it up: the attempt ends as the stop says. */
  private async keepFiles(): Promise<Phrase | null> {
    const { keep } = this.record;
    if (keep === undefined) return null;
    this.isKeeping = true;
    try {
      return await keepFiles(join(this.directory, 'work'), keep, this.ref, this.around.files, this.transfers.signal);
    } finally {
      this.isKeeping = false;
    }
  }

  /** Background processes the script has left: the task is over, so are they. */
  private async clearLeftovers(): Promise<void> {
    if ((await this.around.tree.leftovers(this.target())).length > 0) {
      await this.terminate(Math.min(LEFTOVER_GRACE_MS, this.record.graceSeconds * 1000));
    }
  }

  private async remove(): Promise<void> {
    this.around.sender.forget(this.spool);
    await rm(this.directory, { recursive: true, force: true }).catch((error: unknown) => {
      this.around.log.warn({ ...this.ref, error: String(error) }, 'cannot remove the attempt directory');
    });
    this.around.onGone(this);
  }
}
