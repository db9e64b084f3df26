/** A task as the workflow file holds it; fields that a test does not name keep the file's defaults. */
export interface TaskFields {
  needs?: string[] | Record<string, unknown>;
  run?: string;
  kind?: string;
  [field: string]: unknown;
}

export interface WorkflowFields {
  project?: string;
  workflow?: string;
  schedules?: Record<string, unknown>;
  parameters?: Record<string, unknown>;
  defaults?: Record<string, unknown>;
  [field: string]: unknown;
}

/** A workflow file as an object, ready to be sent as JSON; YAML 1.2 reads the same text. */
export function aWorkflow(tasks: Record<string, TaskFields>, fields: WorkflowFields = {}): Record<string, unknown> {
  return { medley: 1, project: 'default', workflow: 'test', ...fields, tasks };
}

/** Task names `prefix-1` … `prefix-n` with the same fields. */
export function manyTasks(prefix: string, count: number, fields: (index: number) => TaskFields): Record<string, TaskFields> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}-${index + 1}`, fields(index + 1)]));
}

/** start → width parallel tasks → end. */
export function aFanOutFanIn(width: number, run: (name: string) => string = () => 'true'): Record<string, TaskFields> {
  const middle = manyTasks('part', width, (index) => ({ needs: ['start'], run: run(`part-${index}`) }));
  return { start: { run: run('start') }, ...middle, end: { needs: Object.keys(middle), run: run('end') } };
}

/** A DAG of `count` tasks in which each has up to `maxParents` earlier tasks as parents, drawn by `random`. */
export function aRandomDag(
  count: number,
  random: () => number,
  { maxParents = 3, run = () => 'true' }: { maxParents?: number; run?: (name: string) => string } = {},
): Record<string, TaskFields> {
  return manyTasks('task', count, (index) => {
    const parents = new Set<string>();
    const wanted = Math.floor(random() * (maxParents + 1));
    for (let drawn = 0; drawn < wanted && index > 1; drawn += 1) parents.add(`task-${1 + Math.floor(random() * (index - 1))}`);
    const name = `task-${index}`;
    return parents.size === 0 ? { run: run(name) } : { needs: [...parents], run: run(name) };
  });
}
