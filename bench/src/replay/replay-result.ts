import { formatTable, rounded } from '../output/print.js';
import { mean, percentile } from '../statistics/percentile.js';
import { type ReplayTask, sleepSeconds } from './replay-workflow.js';
import type { RunRecord } from './run-record.js';

export interface ReplayResult {
  tasks: number;
  violations: number;
  makespanSeconds: number;
  lowerBoundSeconds: number;
  ratio: number;
  overheadMsPerTask: number;
  byQueue: number;
  byPull: number;
}

export interface ReplayFacts {
  edges: number;
  oneSidedEdges: number;
  lowerBoundSeconds: number;
  policy: string;
}

/** Milliseconds between dispatch and end of each task that were not its sleep. */
export function overheadsMs(tasks: readonly ReplayTask[], run: RunRecord): number[] {
  const speeds = new Map(run.nodes.map((node) => [node.id, node.speed]));
  const records = new Map(run.tasks.map((task) => [task.key, task]));
  return tasks.flatMap((task) => {
    const attempt = records.get(task.key)?.attempts.find(({ state }) => state === 'succeeded');
    if (attempt === undefined || attempt.finishedAtUs === null) return [];
    const sleptMs = sleepSeconds(task, speeds.get(attempt.nodeId) as number) * 1000;
    return [(attempt.finishedAtUs - attempt.dispatchedAtUs) / 1000 - sleptMs];
  });
}

/** The figures of a replay, for the JSON line. */
export function resultOf(tasks: readonly ReplayTask[], run: RunRecord, violations: readonly string[], facts: ReplayFacts): ReplayResult {
  const makespanSeconds = (run.finishedAtUs - run.createdAtUs) / 1_000_000;
  const carried = (carrier: string) => run.tasks.flatMap((task) => task.attempts).filter((attempt) => attempt.carrier === carrier).length;
  return {
    tasks: tasks.length,
    violations: violations.length,
    makespanSeconds: rounded(makespanSeconds, 3),
    lowerBoundSeconds: rounded(facts.lowerBoundSeconds, 3),
    ratio: rounded(facts.lowerBoundSeconds === 0 ? 0 : makespanSeconds / facts.lowerBoundSeconds, 4),
    overheadMsPerTask: rounded(mean(overheadsMs(tasks, run)), 1),
    byQueue: carried('queue'),
    byPull: carried('pull'),
  };
}

/** The same for people. */
export function tableOf(tasks: readonly ReplayTask[], run: RunRecord, result: ReplayResult, facts: ReplayFacts): string {
  const overheads = overheadsMs(tasks, run);
  const perNode = run.nodes.map(({ id, name, speed }) => {
    const count = run.tasks.filter((task) =>
      task.attempts.some((attempt) => attempt.nodeId === id && attempt.state === 'succeeded'),
    ).length;
    return [`  ${name} (speed ${speed})`, `${count} tasks`];
  });
  return formatTable([
    ['tasks', result.tasks],
    ['edges', facts.edges],
    ['edges named by one side only', facts.oneSidedEdges],
    ['policy', facts.policy],
    ['nodes', run.nodes.length],
    ...perNode,
    ['makespan', `${result.makespanSeconds.toFixed(3)} s`],
    ['lower bound', `${result.lowerBoundSeconds.toFixed(3)} s`],
    ['ratio', result.ratio.toFixed(4)],
    ['overhead per task, mean', `${result.overheadMsPerTask.toFixed(1)} ms`],
    ['overhead per task, p50', `${percentile(overheads, 0.5).toFixed(1)} ms`],
    ['overhead per task, p99', `${percentile(overheads, 0.99).toFixed(1)} ms`],
    ['deliveries by queue', result.byQueue],
    ['deliveries by pull', result.byPull],
    ['reservations checked', run.reservations.length],
    ['violations', result.violations],
  ]);
}
