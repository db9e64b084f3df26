import { type TaskRunState, topologicalLevels } from '@medley/core';
import { asCoreTasks, type GraphTask } from './graph-model.js';

/** Fewer tasks than this are clearer one by one. */
const smallestGroup = 3;
/** The state of a group is the weightiest of its members: what went wrong, then what goes on, then what has to come, then what is over. */
const weight: Record<TaskRunState, number> = {
  failed: 11,
  'retry-wait': 10,
  running: 9,
  dispatched: 8,
  paused: 7,
  blocked: 6,
  ready: 5,
  waiting: 4,
  cancelled: 3,
  succeeded: 2,
  skipped: 1,
};

export interface GroupedTasks {
  /** Groups that are not opened, each as one task, and the tasks of no group. */
  tasks: GraphTask[];
  /** The group in whose stead a task is drawn. */
  groupOf: ReadonlyMap<string, string>;
}

/**
 * Collapses tasks whose keys differ in their last part or number only (`load-1`, `load-2`; `t1`, `t2`) and which stand on the same level: nothing leads from one task of a level to
 * another, so that the smaller graph has no cycle either. A group is called by what its keys share, `load*`, and `noteOf` gives its second line. `opened` ones stay as they are.
 */
export function groupTasks(
  tasks: readonly GraphTask[],
  opened: ReadonlySet<string>,
  noteOf: (members: readonly GraphTask[], state: TaskRunState | undefined) => string,
): GroupedTasks {
  const groups = groupsOf(tasks).filter(([name]) => !opened.has(name));
  const groupOf = new Map(groups.flatMap(([name, members]) => members.map(({ key }) => [key, name] as const)));
  const drawn = (key: string) => groupOf.get(key) ?? key;
  const needsOf = (members: readonly GraphTask[]): GraphTask['needs'] => ({
    ...members[0]!.needs,
    conditions: Object.fromEntries(
      members.flatMap(({ needs }) => Object.entries(needs.conditions)).map(([from, on]) => [drawn(from), on] as const),
    ),
  });
  const collapsed = groups.map(([key, members]): GraphTask => {
    const state = weightiest(members);
    const { kind, isFinal } = members[0]!;
    return { key, kind, needs: needsOf(members), ...(isFinal && { isFinal }), ...(state && { state }), note: noteOf(members, state) };
  });
  const single = tasks.filter(({ key }) => !groupOf.has(key)).map((task) => ({ ...task, needs: needsOf([task]) }));
  return { tasks: [...single, ...collapsed], groupOf };
}

/** By name, in the order of their levels. What a name means on a deeper level is told apart by the number of that level. */
function groupsOf(tasks: readonly GraphTask[]): [name: string, members: GraphTask[]][] {
  const byKey = new Map(tasks.map((task) => [task.key, task]));
  const found = new Map<string, GraphTask[]>();
  for (const [level, keys] of topologicalLevels(asCoreTasks(tasks)).entries()) {
    const ofLevel = new Map<string, GraphTask[]>();
    for (const key of keys) {
      const shared = /^(.+?)(?:[-_.][^-_.]*|\d+)$/.exec(key)?.[1];
      if (shared !== undefined) collect(ofLevel, shared, byKey.get(key)!);
    }
    for (const [shared, members] of ofLevel)
      if (members.length >= smallestGroup) found.set(found.has(`${shared}*`) ? `${shared}* ${level + 1}` : `${shared}*`, members);
  }
  return [...found];
}

function collect(groups: Map<string, GraphTask[]>, name: string, task: GraphTask): void {
  const members = groups.get(name);
  if (members === undefined) groups.set(name, [task]);
  else members.push(task);
}

function weightiest(members: readonly GraphTask[]): TaskRunState | undefined {
  return members.reduce<TaskRunState | undefined>(
    (most, { state }) => (state !== undefined && (most === undefined || weight[state] > weight[most]) ? state : most),
    undefined,
  );
}
