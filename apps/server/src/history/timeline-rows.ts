import type { Timeline, TimelineFire, TimelineRow, TimelineRun } from '@medley/contracts';
import type { DueSchedule, RunOfWorkflow, WorkflowName } from './timeline.repository.js';

export interface FireOfWorkflow extends WorkflowName, TimelineFire {}

export interface FireBounds {
  fromMs: number;
  toMs: number;
  /** Of one schedule; a fire every second would hide the others otherwise. */
  mostPerSchedule: number;
}

/** The fires of schedules within a range, in their order in time, and the instant from which some are left out. `firesAfter` tells a schedule's fires after an instant. */
export function firesWithin(
  schedules: readonly DueSchedule[],
  { fromMs, toMs, mostPerSchedule }: FireBounds,
  firesAfter: (schedule: DueSchedule, afterMs: number, count: number) => number[],
): { fires: FireOfWorkflow[]; until: string | null } {
  let untilMs = Number.POSITIVE_INFINITY;
  const fires = schedules.flatMap((schedule) => {
    const first = schedule.nextFireAt.getTime();
    const instants = [first, ...firesAfter(schedule, first, mostPerSchedule)].filter((at) => at < toMs);
    if (instants.length > mostPerSchedule) untilMs = Math.min(untilMs, instants.pop()!);
    const { scheduleId, schedule: name, workflowId, workflow, project } = schedule;
    return instants
      .filter((at) => at >= fromMs)
      .map((at) => ({ scheduleId, schedule: name, workflowId, workflow, project, at: new Date(at).toISOString() }));
  });
  fires.sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
  return { fires, until: Number.isFinite(untilMs) ? new Date(untilMs).toISOString() : null };
}

/** One row per workflow by project and name, so that a row keeps its place while runs come and go; runs stand in the order of their creation. */
export function rowsOf(runs: readonly RunOfWorkflow[], fires: readonly FireOfWorkflow[]): Timeline['rows'] {
  const rows = new Map<string, TimelineRow>();
  const rowOf = ({ workflowId, workflow, project }: WorkflowName): TimelineRow => {
    const row = rows.get(workflowId) ?? { workflowId, workflow, project, runs: [], fires: [] };
    rows.set(workflowId, row);
    return row;
  };
  for (const run of runs.toReversed()) rowOf(run).runs.push(runOnly(run));
  for (const fire of fires) rowOf(fire).fires.push({ scheduleId: fire.scheduleId, schedule: fire.schedule, at: fire.at });
  return [...rows.values()].sort((left, right) => left.workflow.localeCompare(right.workflow) || left.project.localeCompare(right.project));
}

function runOnly({ id, state, trigger, createdAt, startedAt, finishedAt }: RunOfWorkflow): TimelineRun {
  return { id, state, trigger, createdAt, startedAt, finishedAt };
}
