import { join } from 'node:path';
import type { AttemptRef, AttemptWork, Dispatch, NodeCapacity, StopOrder } from '@medley/contracts';
import { addResources, noResources, phrase } from '@medley/core';
import { monotonicMs } from '../clock.js';
import { NoopReport } from '../spool/noop-report.js';
import type { ReportSender } from '../spool/report-sender.js';
import { Attempt, type AttemptSurroundings } from './attempt.js';
import type { AttemptStarter } from './attempt-starter.js';
import type { TreeTarget } from './process-tree.js';

const REMEMBERED = 20_000;

export interface AttemptBookOptions {
  attemptsDirectory: string;
  machineBootId: string;
  around: Omit<AttemptSurroundings, 'onGone'>;
  sender: ReportSender;
  /** Room has become free. */
  onRoom: () => void;
}

const keyOf = (ref: AttemptRef) => `${ref.attemptId}:${ref.fence}`;

/** All attempts this agent answers for, from the granted claim to the acknowledged end, and the ones it remembers as over. */
export class AttemptBook {
  private readonly attempts = new Map<string, Attempt>();
  private readonly noops = new Map<string, { ref: AttemptRef; resources: NodeCapacity }>();
  private readonly over = new Set<string>();
  private starter: AttemptStarter | null = null;

  constructor(private readonly options: AttemptBookOptions) {}

  useStarter(starter: AttemptStarter): void {
    this.starter = starter;
  }

  get size(): number {
    return this.attempts.size + this.noops.size;
  }

  all(): Iterable<Attempt> {
    return this.attempts.values();
  }

  /** The process trees that run and are not being ended. */
  runningTrees(): TreeTarget[] {
    return [...this.attempts.values()].filter((attempt) => !attempt.isStopping).map((attempt) => attempt.target());
  }

  live(): AttemptRef[] {
    return [...[...this.attempts.values()].map((attempt) => attempt.ref), ...[...this.noops.values()].map(({ ref }) => ref)];
  }

  /** What is reserved for the attempts of this book together, as far as it knows. */
  used(): NodeCapacity {
    let used: NodeCapacity = noResources;
    for (const { record } of this.attempts.values()) {
      used = addResources(used, record.resources ?? { ...noResources, memoryMib: record.memoryMib });
    }
    for (const { resources } of this.noops.values()) {
      used = addResources(used, resources);
    }
    return used;
  }

  /** Whether this dispatch has been started here, or has ended here: a duplicate must not start it again. */
  knows(ref: AttemptRef): boolean {
    return this.attempts.has(keyOf(ref)) || this.noops.has(keyOf(ref)) || this.over.has(keyOf(ref));
  }

  /** A claim has been granted; `stop` is an order that came while it was being asked. */
  accept(dispatch: Dispatch, work: AttemptWork, stop: StopOrder['reason'] | null): void {
    const ref = { attemptId: dispatch.attemptId, fence: dispatch.fence };
    if (work.kind === 'noop' && stop === null) {
      this.acceptNoop(ref, work.resources);
      return;
    }
    const attempt = this.create({
      ...ref,
      taskRunId: dispatch.taskRunId,
      runId: work.runId,
      grantedAtMs: monotonicMs(),
      timeoutSeconds: work.timeoutSeconds,
      graceSeconds: work.graceSeconds,
      onLeaseLost: work.onLeaseLost,
      logCapBytes: work.logCapBytes,
      memoryMib: work.resources.memoryMib,
      resources: work.resources,
      machineBootId: this.options.machineBootId,
      cgroups: [],
      ...(work.files?.keep === undefined ? {} : { keep: work.files.keep }),
    });
    if (stop !== null) {
      void attempt.stop(stop);
      attempt.exited({ status: null, problem: phrase('never-started'), runSeconds: 0 });
      return;
    }
    this.starter!.enqueue({ attempt, work, dispatch });
  }

  /** Takes an attempt into the book, granted or adopted. */
  create(record: Attempt['record']): Attempt {
    const directory = join(this.options.attemptsDirectory, record.attemptId);
    const onGone = (gone: Attempt) => this.forget(gone.ref);
    const attempt = new Attempt(record, directory, { ...this.options.around, onGone });
    this.attempts.set(keyOf(record), attempt);
    return attempt;
  }

  /** Obeys the orders for attempts of this book; returns those it does not know. */
  applyStops(orders: readonly StopOrder[]): StopOrder[] {
    return orders.filter((order) => {
      const attempt = this.attempts.get(keyOf(order));
      void attempt?.stop(order.reason);
      return attempt === undefined;
    });
  }

  private acceptNoop(ref: AttemptRef, resources: NodeCapacity): void {
    this.noops.set(keyOf(ref), { ref, resources });
    const report = new NoopReport(ref, () => {
      this.options.sender.forget(report);
      this.forget(ref);
    });
    this.options.sender.notify(report);
  }

  private forget(ref: AttemptRef): void {
    this.attempts.delete(keyOf(ref));
    this.noops.delete(keyOf(ref));
    this.over.add(keyOf(ref));
    if (this.over.size > REMEMBERED) {
      this.over.delete(this.over.values().next().value!);
    }
    this.options.onRoom();
  }
}
