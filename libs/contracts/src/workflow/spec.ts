import type {
  ConcurrencyRule,
  MisfirePolicy,
  Needs,
  OverlapPolicy,
  ParameterDeclarations,
  ParameterValue,
  Resources,
  RetryPolicy,
  StartRule,
} from '@medley/core';
import type { TaskKind } from './schema/task.schema.js';

/** An HTTP call as defined; texts may hold value expressions until the run renders them. */
export interface HttpSpec {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  expectStatus: number[];
}

/** So many slots of a limit that a task takes for as long as it runs. */
export interface LimitUse {
  kind: 'limit' | 'mutex';
  name: string;
  slots: number;
}

/** One task run per item, at most `parallel` at once; the item is `map.AS` in its values. */
export interface MapSpec {
  /** The items, or a text with an expression that yields them. */
  over: string | (string | number | boolean)[];
  as: string;
  parallel: number | null;
  onFailure: 'finish' | 'stop';
}

/** One task run after the other, until `until` holds of what the last one gave. */
export interface LoopSpec {
  until: string;
  max: number;
  delaySeconds: number;
  onMax: 'fail' | 'succeed';
}

/** The value of `on`, as text, names the case. Null for `otherwise` where nothing is said for other values. */
export interface SwitchSpec {
  on: string;
  cases: string[];
}

/** What a task's branch is called when its switch found no case. */
export const defaultCase = '';

/** A time: an instant, or so many seconds from when the task may begin. Or an answer over HTTP. Or a file on one node, or on any node of the task's pool that has its labels. Texts may hold value expressions. */
export type WaitForSpec =
  | { kind: 'time'; until: string | null; forSeconds: number | null }
  | { kind: 'file'; path: string; node: string | null; everySeconds: number }
  | ({ kind: 'http'; everySeconds: number } & Pick<HttpSpec, 'url' | 'method' | 'headers' | 'expectStatus'>);

/** Another workflow of the project, run as a part of this one. Values of parameters may hold value expressions. */
export interface SubWorkflowSpec {
  workflow: string;
  /** Null: the one that is the latest when the outermost run is created. */
  version: number | null;
  parameters: Record<string, ParameterValue>;
}

/** `keep`: patterns of files. `fetch`: what earlier tasks have kept; an empty `to` is the working directory itself. */
export interface FilesSpec {
  keep: string[];
  fetch: { from: string; patterns: string[]; to: string }[];
}

/** A task with every default filled in. Texts of `env` and `http` may hold value expressions. */
export interface TaskSpec {
  key: string;
  /** Place in the file, from 0. */
  position: number;
  kind: TaskKind;
  needs: Needs;
  /** The text of a shell, Python or Node task. */
  script: string | null;
  http: HttpSpec | null;
  env: Record<string, string>;
  /** Outputs that Medley takes from the result by itself, an answer over HTTP or the tasks of a sub-workflow: expressions by name. */
  outputs?: Record<string, string>;
  resources: Resources;
  labels: string | null;
  retry: RetryPolicy;
  /** Per attempt; null means no limit. */
  timeoutSeconds: number | null;
  /** From when it may begin to its end, all waiting included; missing means no limit. */
  deadlineSeconds?: number | null;
  /** How it ends when its deadline passes. */
  onDeadline?: 'fail' | 'skip' | 'succeed';
  /** Of an approval: who may decide, as `role:…` (or a higher one), `user:…` and `group:…`. */
  approval?: { by: string[] };
  /** What a wait-for task waits for. */
  waitFor?: WaitForSpec;
  priority: number;
  pool: string;
  onLeaseLost: 'finish' | 'stop';
  /** An expression: the task is skipped where it is false. */
  when?: string;
  /** The case of a switch among whose tasks this one is; it runs when one of them is chosen. */
  branch?: { of: string; cases: string[] };
  map?: MapSpec;
  loop?: LoopSpec;
  switch?: SwitchSpec;
  subWorkflow?: SubWorkflowSpec;
  /** A task of `finally`. */
  isFinal?: boolean;
  /** Missing: none. */
  limits?: LimitUse[];
  /** Missing: it neither keeps nor fetches any. */
  files?: FilesSpec;
}

/** Kinds whose task runs no node ever gets: the server itself does what there is to do. */
const unplacedKinds: ReadonlySet<TaskKind> = new Set<TaskKind>(['approval', 'wait-for', 'switch', 'workflow']);

/** Whether a task's own task run holds no slot, however long it goes on. */
export function holdsNoSlot(task: TaskSpec): boolean {
  return unplacedKinds.has(task.kind);
}

/** Whether a task run begins without a pool: it holds no slot, or something has to be decided before it may be placed. */
export function isUnplaced(task: TaskSpec): boolean {
  return holdsNoSlot(task) || task.when !== undefined || task.branch !== undefined || task.map !== undefined || task.loop !== undefined;
}

export interface ScheduleSpec {
  name: string;
  rule: StartRule;
  zone: string;
  /** The name of a calendar of the project. */
  calendar: string | null;
  /** As written: a day, or a date and time, of the zone. */
  start: string | null;
  end: string | null;
  jitterSeconds: number;
  overlap: OverlapPolicy;
  /** Values may hold value expressions. */
  parameters: Record<string, ParameterValue>;
  misfire: MisfirePolicy;
  /** Only for a schedule that is new; applying a file never flips an existing one. */
  enabled: boolean;
}

/** `key` may hold value expressions; runs whose rendered keys are equal count together. */
export interface ConcurrencySpec extends ConcurrencyRule {
  key: string;
}

/** A workflow resolved for execution. */
export interface WorkflowSpec {
  project: string;
  workflow: string;
  description: string;
  parameters: ParameterDeclarations;
  /** Missing: any number of runs at once. */
  concurrency?: ConcurrencySpec;
  schedules: ScheduleSpec[];
  /** In file order. */
  tasks: TaskSpec[];
}
