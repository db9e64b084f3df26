import { readFileSync, writeFileSync } from 'node:fs';
import { monotonicMs } from '../../clock.js';
import type { Logger } from '../../log.js';
import { sendSignal, type TreeTarget } from '../process-tree.js';
import { CpuBudget } from './cpu-budget.js';
import { HeldProcesses } from './held-processes.js';
import { createTreeSampler, type TreeSample, type TreeSampler } from './tree-sampler.js';
import { Watchdog } from './watchdog.js';

/** A tree that has used no CPU for this long is not held with the others. */
const IDLE_MS = 1000;
const WATCHDOG_AGAIN_MS = 1000;
const HOLD_AGAIN_MS = 3;

export interface ThrottleOptions {
  /** Of one core, for everything this agent runs together. */
  sharePercent: number;
  /** Says while it is not empty that something may be held; the watchdog empties it. */
  file: string;
  /** The trees that are to be throttled now; one that is being ended is not among them. */
  trees: () => TreeTarget[];
  log: Logger;
}

/** Null when this platform cannot hold processes. */
export function createCpuThrottle(platform: NodeJS.Platform, options: ThrottleOptions): CpuThrottle | null {
  const sampler = createTreeSampler(platform);
  if (sampler === null) {
    options.log.warn({ platform }, 'MEDLEY_AGENT_CPU_SHARE has no effect on this platform');
    return null;
  }
  return new CpuThrottle(sampler, options);
}

/**
 * Keeps the attempts of this agent to a share of a core by stopping and continuing their processes in turns (SIGSTOP, SIGCONT), for agents that
 * may not set a quota. It goes by used CPU time: who uses none is not held. Should the agent die, the watchdog continues what is held; should
 * both die at once, the next agent does.
 */
export class CpuThrottle {
  private readonly budget: CpuBudget;
  private readonly watchdog: Watchdog;
  private readonly held: HeldProcesses;
  private readonly own = new Map<string, TreeTarget>();
  private readonly usage = new Map<string, { cpuMs: number; busyAtMs: number }>();
  private last: { atMs: number; cpuMs: number } | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isOn = false;
  private mustContinue = false;

  constructor(
    private readonly sampler: TreeSampler,
    private readonly options: ThrottleOptions,
  ) {
    this.budget = new CpuBudget(options.sharePercent / 100);
    this.watchdog = new Watchdog(options.file, () => this.watchdogDied());
    this.held = new HeldProcesses(sampler, this.watchdog);
  }

  start(): void {
    this.isOn = true;
    this.mustContinue = isNotEmpty(this.options.file);
    writeFileSync(this.options.file, `${process.pid}\n`, { mode: 0o600 });
    this.watchdog.start();
    this.options.log.info({ sharePercent: this.options.sharePercent }, `throttled to ${this.options.sharePercent} % by duty cycle`);
    void this.look();
  }

  get sharePercent(): number {
    return this.options.sharePercent;
  }

  /** Continues everything; nothing is held any more. */
  stop(): void {
    this.isOn = false;
    clearTimeout(this.timer ?? undefined);
    this.held.releaseAllBut(new Set());
    this.watchdog.stop();
  }

  /** Throttles a process of the agent's own as it does attempts, until the returned function is called. */
  cover(pid: number): () => void {
    const attemptId = `own-${pid}`;
    this.own.set(attemptId, { attemptId, wrapperPid: pid, cgroups: [] });
    return () => this.own.delete(attemptId);
  }

  private targets(): TreeTarget[] {
    return [...this.options.trees(), ...this.own.values()];
  }

  private async look(): Promise<void> {
    let pauseMs: number | null = null;
    try {
      const sample = await this.sampler.sample(this.targets());
      if (this.isOn && !this.apply(sample)) pauseMs = HOLD_AGAIN_MS;
    } catch (error) {
      this.held.releaseAllBut(new Set());
      this.options.log.error({ error: String(error) }, 'a round of the throttle failed; nothing is held');
    }
    if (this.isOn) {
      this.timer = setTimeout(() => void this.look(), Math.max(this.sampler.leastPauseMs, pauseMs ?? this.budget.nextLookMs));
    }
  }

  /** False when not all that is to be held could be held yet. */
  private apply(sample: TreeSample): boolean {
    const atMs = monotonicMs();
    if (this.mustContinue) this.continueStopped(sample);
    const cpuMs = sample.members.reduce((sum, row) => sum + row.cpuMs, sample.reapedMs);
    if (this.last !== null) this.budget.account(atMs - this.last.atMs, Math.max(0, cpuMs - this.last.cpuMs));
    this.last = { atMs, cpuMs };
    this.noteUsage(sample, atMs);
    // Asked anew: what a stop order has come for meanwhile is not touched any more.
    const wanted = new Set(this.targets().map(({ attemptId }) => attemptId));
    if (!this.budget.isHolding) {
      this.held.releaseAllBut(new Set());
      return true;
    }
    this.held.releaseAllBut(wanted);
    const { attempts } = this.held;
    const isBusy = (id: string) => atMs - (this.usage.get(id)?.busyAtMs ?? Number.NEGATIVE_INFINITY) < IDLE_MS;
    return this.held.hold(sample.members.filter(({ attemptId: id }) => wanted.has(id) && (attempts.has(id) || isBusy(id))));
  }

  private noteUsage({ members }: TreeSample, atMs: number): void {
    const sums = new Map<string, number>();
    for (const { attemptId, cpuMs } of members) sums.set(attemptId, (sums.get(attemptId) ?? 0) + cpuMs);
    for (const id of this.usage.keys()) if (!sums.has(id)) this.usage.delete(id);
    for (const [id, cpuMs] of sums) {
      const before = this.usage.get(id);
      const isBusy = before === undefined ? cpuMs > 0 : cpuMs > before.cpuMs;
      this.usage.set(id, { cpuMs, busyAtMs: isBusy ? atMs : (before?.busyAtMs ?? Number.NEGATIVE_INFINITY) });
    }
  }

  /** The agent before this one and its watchdog were killed together: whom they held nobody knows, so everything stopped is continued, once. */
  private continueStopped({ members }: TreeSample): void {
    this.mustContinue = false;
    const stopped = members.filter(({ isStopped }) => isStopped);
    for (const { pid } of stopped.reverse()) sendSignal(pid, 'SIGCONT');
    if (stopped.length > 0) this.options.log.warn({ processes: stopped.length }, 'continued what an earlier agent had held');
  }

  /** Without a watchdog nothing is held. */
  private watchdogDied(): void {
    this.held.releaseAllBut(new Set());
    if (!this.isOn) return;
    this.options.log.warn('the watchdog of the throttle ended; starting another');
    setTimeout(() => {
      if (this.isOn) this.watchdog.start();
    }, WATCHDOG_AGAIN_MS).unref();
  }
}

function isNotEmpty(file: string): boolean {
  try {
    return readFileSync(file).length > 0;
  } catch {
    return false;
  }
}
