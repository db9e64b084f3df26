import type { AttemptView, Reason, TaskParts, TaskRunItem, Why } from '@medley/contracts';
import type { RunState } from '@medley/core';

type Parent = Why['parents'][number];

export interface WhyFacts {
  taskRun: Pick<TaskRunItem, 'state' | 'reason' | 'tries' | 'readyAt' | 'retryAt' | 'startedAt' | 'finishedAt' | 'keptFrom'> &
    Partial<Pick<TaskRunItem, 'item' | 'parts'>>;
  /** How it ends once its attempt is stopped. */
  mark?: { reason: Reason } | null;
  parents: readonly Parent[];
  needsMode: 'all' | 'any';
  attempt: AttemptView | null;
  /** Of a sub-workflow that goes on: how far its run has come. */
  child?: ChildProgress | null;
}

/** A run and how many of its tasks have ended, run and failed; `waits` is why it has not begun. */
export interface ChildProgress {
  runId: string;
  workflow: string;
  state: RunState;
  total: number;
  ended: number;
  running: number;
  failed: number;
  waits: Reason | null;
}

const MAX_NAMED = 5;

/** What a task run waits for, or how it ended: a code for programs, a text for people, and since when. */
export function explainTaskRun({ taskRun, mark = null, parents, needsMode, attempt, child = null }: WhyFacts): {
  reason: Reason;
  since: string | null;
} {
  switch (taskRun.state) {
    case 'waiting':
      // What would be ready but for its run, which waits, has no parents to wait for.
      if (taskRun.reason) return { reason: taskRun.reason, since: null };
      if (taskRun.item != null) return { reason: waitingForTurn, since: null };
      return { reason: waitingFor(parents, needsMode), since: null };
    case 'ready':
      return { reason: { code: 'ready', text: 'It may start; the next placement turn looks for a node.' }, since: taskRun.readyAt };
    case 'blocked':
      return { reason: taskRun.reason ?? { code: 'blocked', text: 'It could not be placed.' }, since: taskRun.readyAt };
    case 'dispatched':
      return { reason: dispatched(attempt), since: attempt?.dispatchedAt ?? null };
    case 'retry-wait':
      return { reason: retrying(taskRun, attempt), since: attempt?.finishedAt ?? null };
    case 'paused':
      return { reason: { code: 'run-paused', text: 'Its run is paused: it may start once the run is resumed.' }, since: taskRun.readyAt };
    case 'running':
      return {
        reason: mark && !child ? beingMarked(mark.reason, attempt) : reasonOfRunning(taskRun.parts, child, attempt),
        since: attempt?.stoppingAt ?? attempt?.startedAt ?? attempt?.claimedAt ?? taskRun.startedAt,
      };
    default:
      return { reason: ended(taskRun, parents, attempt), since: taskRun.finishedAt };
  }
}

function waitingFor(parents: readonly Parent[], mode: 'all' | 'any'): Reason {
  const open = parents.filter((parent) => !parent.satisfied);
  const named = open.slice(0, MAX_NAMED).map(({ key, state, needed }) => `${key} (${state}, needed: ${needed})`);
  const more = open.length > MAX_NAMED ? ` and ${open.length - MAX_NAMED} more` : '';
  const text = mode === 'any' ? `It waits for one of ${named.join(', ')}${more}.` : `It waits for ${named.join(', ')}${more}.`;
  return { code: 'waiting-for-parents', text, values: { mode, ...parentValues(parents) }, open: open.length };
}

/** What is not as it is needed: the first few, and how many more. */
function parentValues(parents: readonly Parent[]) {
  const open = parents.filter((parent) => !parent.satisfied);
  const named = open.slice(0, MAX_NAMED).map(({ key, state, needed }) => ({ key, state, needed }));
  return { parents: named, more: open.length - named.length };
}

function attemptValues({ number, node, state, exitCode, signal, detail, explanation }: AttemptView) {
  return { number, node, state, exitCode, signal, detail, explanation };
}

function dispatched(attempt: AttemptView | null): Reason {
  if (!attempt) return { code: 'dispatched', text: 'It was given to a node.' };
  if (attempt.prefetched) {
    const text = `It was prefetched to ${attempt.node} and waits there for room that is about to be free; if none comes within seconds, it is placed anew.`;
    return { code: 'prefetched', text, values: { node: attempt.node } };
  }
  const times = attempt.sendNo === 1 ? 'once' : `${attempt.sendNo} times`;
  const text = `It was sent to ${attempt.node} ${times}; its agent has not claimed it yet.`;
  return { code: 'waiting-for-claim', text, values: { node: attempt.node, times: attempt.sendNo } };
}

function retrying(taskRun: WhyFacts['taskRun'], attempt: AttemptView | null): Reason {
  if (taskRun.reason?.code === 'loop-rests') {
    const { code, text, values } = taskRun.reason;
    return { code, text: `${text} It may start at ${taskRun.retryAt}.`, values: { ...values, at: taskRun.retryAt } };
  }
  const before = attempt ? `Attempt ${attempt.number} ${endingOf(attempt)}. ` : '';
  const values = { at: taskRun.retryAt, ...(attempt ? { attempt: attemptValues(attempt) } : {}) };
  return { code: 'retry-wait', text: `${before}The next attempt may start at ${taskRun.retryAt}.`, values };
}

const waitingForTurn: Reason = { code: 'waiting-for-turn', text: 'It waits for its turn: as many items as may run at once have begun.' };

function runningParts({ total, begun, ended, failed, atMost }: TaskParts): Reason {
  if (atMost !== null) {
    const text = `Iteration ${total} of at most ${atMost} is under way.`;
    return { code: 'runs-iterations', text, values: { iteration: total, atMost, ended } };
  }
  const text = `Of its ${total} items ${ended} have ended, ${failed} of them failed; ${begun - ended} are under way.`;
  return { code: 'runs-items', text, values: { total, ended, failed, underWay: begun - ended } };
}

function reasonOfRunning(parts: TaskParts | null | undefined, child: ChildProgress | null, attempt: AttemptView | null): Reason {
  if (parts) return runningParts(parts);
  return child ? runningChild(child) : running(attempt);
}

function runningChild({ runId, workflow, state, total, ended, running: underWay, failed, waits }: ChildProgress): Reason {
  const name = `run ${runId.slice(-8)} of ${workflow}`;
  const values = { runId, workflow, state, total, ended, failed, underWay, waits: waits?.text ?? null };
  if (waits) return { code: 'runs-child', text: `It waits for ${name}, which has not begun: ${waits.text}.`, values };
  const text = `It waits for ${name}, which is ${state}: of its ${total} tasks ${ended} have ended, ${failed} of them failed; ${underWay} run.`;
  return { code: 'runs-child', text, values };
}

function running(attempt: AttemptView | null): Reason {
  if (!attempt) return { code: 'running', text: 'It runs.' };
  if (attempt.state !== 'stopping') return { code: 'running', text: `It runs on ${attempt.node}.`, values: { node: attempt.node } };
  const why = attempt.stopReason === 'timed_out' ? 'exceeded its timeout' : 'was cancelled';
  const text = `It ${why} and is being stopped on ${attempt.node}; it ends when its processes are gone.`;
  return { code: 'stopping', text, values: { node: attempt.node, cause: attempt.stopReason ?? 'cancelled' } };
}

function beingMarked({ text, values }: Reason, attempt: AttemptView | null): Reason {
  const where = attempt ? ` on ${attempt.node}` : '';
  return {
    code: 'stopping-marked',
    text: `${text}. It is being stopped${where}; it ends when its processes are gone.`,
    values: { ...values, node: attempt?.node ?? null },
  };
}

function ended(taskRun: WhyFacts['taskRun'], parents: readonly Parent[], attempt: AttemptView | null): Reason {
  if (taskRun.keptFrom) return { code: 'kept', text: 'Its result was kept from an earlier run.' };
  const values = attempt ? { attempt: attemptValues(attempt) } : parentValues(parents);
  if (taskRun.reason) return { values, ...taskRun.reason };
  if (taskRun.state === 'succeeded')
    return { code: 'succeeded', text: attempt ? `Attempt ${attempt.number} succeeded on ${attempt.node}.` : 'It succeeded.', values };
  if (attempt) return { code: taskRun.state, text: `Attempt ${attempt.number} ${endingOf(attempt)}.`, values };
  return { code: taskRun.state, text: `It ${taskRun.state === 'failed' ? 'failed' : `was ${taskRun.state}`}.` };
}

function endingOf(attempt: AttemptView): string {
  const where = `on ${attempt.node}`;
  const detail = attempt.detail ? `: ${attempt.detail}` : '';
  if (attempt.state === 'timed_out') return `exceeded its timeout ${where}${detail}`;
  if (attempt.state === 'lost') return `was lost with ${attempt.node}${detail}`;
  if (attempt.state === 'cancelled') return `was cancelled ${where}${detail}`;
  if (attempt.signal) return `was ended by ${attempt.signal} ${where}${detail}`;
  return attempt.exitCode === null ? `failed ${where}${detail}` : `failed ${where} with exit code ${attempt.exitCode}${detail}`;
}
