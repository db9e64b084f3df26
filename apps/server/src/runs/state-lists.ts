import {
  type AttemptEvent,
  attemptStatesAccepting,
  type ReservationEvent,
  type RunEvent,
  reservationStatesAccepting,
  runStatesAccepting,
  type TaskRunEvent,
  type TaskRunState,
  taskRunStates,
  taskRunStatesAccepting,
  terminalTaskRunStates,
} from '@medley/core';

// What follows `state in` in the statements, built from the state tables once, so that a statement obeys them and its text stays the same.

function sqlList(states: Iterable<string>): string {
  return `(${[...states].map((state) => `'${state}'`).join(', ')})`;
}

export const runsAccepting = (event: RunEvent) => sqlList(runStatesAccepting(event));
export const attemptsAccepting = (event: AttemptEvent) => sqlList(attemptStatesAccepting(event));
export const reservationsAccepting = (event: ReservationEvent) => sqlList(reservationStatesAccepting(event));

/** Task runs in which the event is legal, or in which it is and another is not. */
export function taskRunsAccepting(event: TaskRunEvent, butNot?: TaskRunEvent): string {
  const others = new Set<TaskRunState>(butNot ? taskRunStatesAccepting(butNot) : []);
  return sqlList(taskRunStatesAccepting(event).filter((state) => !others.has(state)));
}

export const endedTaskRuns = sqlList(terminalTaskRunStates);

/** Task runs that go on without their parents: everything but the waiting and the ended. */
export const movingTaskRuns = sqlList(
  taskRunStates.filter((state) => !terminalTaskRunStates.has(state) && !taskRunStatesAccepting('skip').includes(state)),
);
