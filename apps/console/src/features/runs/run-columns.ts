/** Columns of the list of runs that may be left out; the state always stands first. */
export const runColumns = ['run', 'project', 'workflow', 'trigger', 'tasks', 'duration', 'created', 'finished'] as const;
export type RunColumn = (typeof runColumns)[number];
export const initialRunColumns: readonly RunColumn[] = ['run', 'workflow', 'trigger', 'tasks', 'duration', 'created'];

/** Columns by which the server sorts: the two orders of each, what most people want first before the other. */
export const sortsOf: Partial<Record<RunColumn, readonly [string, string]>> = {
  duration: ['longest', 'shortest'],
  created: ['newest', 'oldest'],
};

export const numericColumns: ReadonlySet<string> = new Set<RunColumn>(['tasks', 'duration']);
