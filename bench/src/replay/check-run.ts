import type { ReplayTask } from './replay-workflow.js';
import type { NodeRecord, ReservationRecord, RunRecord, TaskRecord } from './run-record.js';

/** Every way in which a run differs from "each task exactly once, after its parents, within the capacity of its node"; empty when it does not. */
export function findViolations(expected: readonly ReplayTask[], run: RunRecord): string[] {
  const records = new Map(run.tasks.map((task) => [task.key, task]));
  const violations = run.state === 'succeeded' ? [] : [`the run ended as ${run.state}`];
  if (run.tasks.length !== expected.length) violations.push(`the run has ${run.tasks.length} tasks instead of ${expected.length}`);
  for (const task of expected) {
    const record = records.get(task.key);
    if (record === undefined) violations.push(`${task.key} is missing from the run`);
    else violations.push(...onceViolations(record), ...outputViolations(record), ...orderViolations(task, record, records));
  }
  return [...violations, ...run.nodes.flatMap((node) => capacityViolations(node, run.reservations))];
}

function onceViolations({ key, state, attempts }: TaskRecord): string[] {
  const found: string[] = [];
  const claimed = attempts.filter((attempt) => attempt.claimedAtUs !== null).length;
  const succeeded = attempts.filter((attempt) => attempt.state === 'succeeded').length;
  const open = attempts.filter((attempt) => attempt.finishedAtUs === null).length;
  if (state !== 'succeeded') found.push(`${key} ended as ${state}`);
  if (claimed !== 1) found.push(`${key} was claimed ${claimed} times`);
  if (succeeded !== 1) found.push(`${key} has ${succeeded} succeeded attempts`);
  if (open > 0) found.push(`${key} has ${open} attempts that never ended`);
  return found;
}

/** The task's own word: its script prints its key, so the output of all its attempts together tells how often it ran. */
function outputViolations({ key, attempts }: TaskRecord): string[] {
  const output = attempts.map((attempt) => attempt.stdout).join('');
  return output === `${key}\n` ? [] : [`${key} printed ${JSON.stringify(output.slice(0, 200))} instead of its key once`];
}

function orderViolations(task: ReplayTask, record: TaskRecord, records: ReadonlyMap<string, TaskRecord>): string[] {
  const started = Math.min(...record.attempts.map((attempt) => attempt.claimedAtUs ?? Number.POSITIVE_INFINITY));
  return task.parents.flatMap((key) => {
    const ended = records.get(key)?.finishedAtUs ?? Number.POSITIVE_INFINITY;
    return started >= ended ? [] : [`${task.key} started ${ended - started} µs before its parent ${key} had ended`];
  });
}

/** Sweeps over the reservations of a node; at one instant what is released counts before what is held. */
function capacityViolations(node: NodeRecord, all: readonly ReservationRecord[]): string[] {
  const own = all.filter((reservation) => reservation.nodeId === node.id);
  const found = own
    .filter((each) => each.releasedAtUs === null)
    .map((each) => `${node.name} still holds the reservation of attempt ${each.attemptId}`);
  const peak = peakReserved(own);
  if (peak > node.cpuMillis) found.push(`${node.name} had ${peak} of ${node.cpuMillis} CPU thousandths reserved at once`);
  if (node.usedCpuMillis !== 0) found.push(`${node.name} counts ${node.usedCpuMillis} CPU thousandths as used after the run`);
  return found;
}

/** The most CPU that these reservations held at any one time. */
export function peakReserved(reservations: readonly ReservationRecord[]): number {
  const steps = reservations.flatMap(({ heldAtUs, releasedAtUs, cpuMillis }) => [
    { atUs: heldAtUs, change: cpuMillis },
    { atUs: releasedAtUs ?? Number.POSITIVE_INFINITY, change: -cpuMillis },
  ]);
  steps.sort((left, right) => (left.atUs === right.atUs ? left.change - right.change : left.atUs - right.atUs));
  let reserved = 0;
  let peak = 0;
  for (const { change } of steps) {
    reserved += change;
    peak = Math.max(peak, reserved);
  }
  return peak;
}
