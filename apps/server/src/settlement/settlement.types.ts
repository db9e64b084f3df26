import type { Reason } from '@medley/contracts';
import { type ForeignPhrase, inEnglish, type Outputs, type Phrase, type RunState, type TaskRunState } from '@medley/core';

/** How an attempt ended. `lost`: fenced off, nobody verified anything. `runSeconds` is the agent's measurement. */
export interface AttemptEnding {
  attemptId: string;
  outcome: 'succeeded' | 'failed' | 'timed_out' | 'cancelled' | 'lost';
  exitCode: number | null;
  signal: string | null;
  detail: string | null;
  /** What `detail` says, for any language; absent where that is not known. */
  explanation?: ForeignPhrase | null | undefined;
  runSeconds: number | null;
  /** What the task gave to those behind it, if anything. */
  outputs?: Outputs;
  /** The agent's report it comes from, stored with it; none when the server ended it by itself. */
  report?: { sequence: number; started: boolean };
}

/** Why an attempt ended, as the server itself tells it. */
export function toldBy(explanation: Phrase): Pick<AttemptEnding, 'detail' | 'explanation'> {
  return { detail: inEnglish(explanation), explanation };
}

/** How a task run ends because someone outside of it decided so, with who, when and why as its reason. */
export interface Mark {
  state: 'succeeded' | 'failed' | 'skipped';
  reason: Reason;
}

export interface MarkedTaskRun extends Mark {
  taskRunId: string;
}

/** What marks have begun: task runs whose attempt is being stopped end as they are marked once that is verified. */
export interface Marking {
  settled: Settled;
  stopping: { taskRunId: string; runId: string; projectId: string; attemptId: string; nodeId: string }[];
  /** Those that wait for a run of their own, which is cancelled first. */
  awaiting: { taskRunId: string; runId: string; projectId: string }[];
}

/** A run whose row this transaction holds. */
export interface LockedRun {
  id: string;
  projectId: string;
  workflowId: string;
  workflowVersion: number;
  state: RunState;
  openTasks: number;
  /** How many final tasks wait until all others have ended; 0 from then on. */
  finalTasks: number;
  /** Its final tasks were cancelled with it. */
  finalsCancelled: boolean;
}

/** A task run that this transaction ended. */
export interface EndedTask {
  run: LockedRun;
  taskRunId: string;
  key: string;
  state: TaskRunState;
  /** Of an instance: the task run that it is a part of. The DAG knows only that one. */
  parentId?: string | null;
  /** False for what ended while it still waited for its turn; of an instance, that it counted among those that may run at once. */
  hadBegun?: boolean;
}

export interface LearnedRuntime {
  workflowId: string;
  taskKey: string;
  nodeId: string;
  runSeconds: number;
}

/** What a settled transaction has to tell once it is committed. */
export interface Settled {
  ended: EndedTask[];
  /** Task runs that became ready; `unplaced` are those that no node gets. */
  readied: { runId: string; taskRunId: string; unplaced?: boolean }[];
  retrying: { runId: string; projectId: string; taskRunId: string }[];
  finishedRuns: (LockedRun & { isAwaited: boolean; hasArrived: boolean; isPart: boolean })[];
  learned: LearnedRuntime[];
  /** Attempts that ended here; an ending that is missing lost its race. */
  attempts: { attemptId: string; runId: string; projectId: string; nodeId: string }[];
}
