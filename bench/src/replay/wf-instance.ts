import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { BenchFailure } from '../stack/with-stack.js';

/** One task of a recorded execution. Cores count whole ones; a task that used part of a core still occupies one. */
export interface RecordedTask {
  id: string;
  seconds: number;
  cores: number;
  parents: string[];
}

/** A recorded execution, its tasks in an order in which parents come first. */
export interface RecordedWorkflow {
  name: string;
  tasks: RecordedTask[];
  edges: number;
  /** Dependencies that only one of the two tasks names; they count as dependencies. */
  oneSidedEdges: number;
}

const seconds = z.number('a number of seconds is expected').nonnegative('cannot be negative');
const specificationTask = z.object({
  id: z.string().min(1),
  parents: z.array(z.string()).default([]),
  children: z.array(z.string()).default([]),
});
const executionTask = z.object({
  id: z.string().min(1),
  runtimeInSeconds: seconds,
  coreCount: z.number().positive().max(4096).nullish(),
});
const instanceSchema = z.object({
  name: z.string().min(1).default('workflow'),
  schemaVersion: z.literal('1.5', 'this reader knows WfFormat 1.5 only'),
  workflow: z.object({
    specification: z.object({ tasks: z.array(specificationTask).min(1, 'there is no task') }),
    execution: z.object({ tasks: z.array(executionTask) }),
  }),
});
type Instance = z.infer<typeof instanceSchema>;

/** Reads a WfCommons WfFormat 1.5 file. Throws a BenchFailure that names file and field. */
export function readInstance(path: string): RecordedWorkflow {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new BenchFailure(`${path}: cannot be read: ${(error as Error).message}`);
  }
  return parseInstance(text, basename(path));
}

/** The same for a text; `file` is what messages call it. */
export function parseInstance(text: string, file: string): RecordedWorkflow {
  const fail = (field: string, message: string): never => {
    throw new BenchFailure(`${file}: ${field === '' ? '' : `${field}: `}${message}`);
  };
  const parsed = instanceSchema.safeParse(parseJson(text, fail));
  if (!parsed.success) {
    return fail('', parsed.error.issues.map((issue) => `${fieldOf(issue.path)}: ${issue.message}`).join(`\n${file}: `));
  }
  return recordedOf(parsed.data, fail);
}

type Fail = (field: string, message: string) => never;

function parseJson(text: string, fail: Fail): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail('', `is no JSON: ${(error as Error).message}`);
  }
}

function fieldOf(path: readonly PropertyKey[]): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return text === '' ? 'the document' : text.replace(/^\./, '');
}

function recordedOf({ name, workflow: { specification, execution } }: Instance, fail: Fail): RecordedWorkflow {
  const specified = indexById(specification.tasks, 'workflow.specification.tasks', fail);
  const executed = indexById(execution.tasks, 'workflow.execution.tasks', fail);
  for (const [id, { index }] of executed) {
    if (!specified.has(id)) fail(`workflow.execution.tasks[${index}].id`, `"${id}" is no task of the specification`);
  }
  const { parents, edges, oneSidedEdges } = readEdges(specification.tasks, specified, fail);
  const tasks = specification.tasks.map(({ id }, index) => {
    const run =
      executed.get(id)?.task ?? fail(`workflow.specification.tasks[${index}].id`, `"${id}" has no entry in workflow.execution.tasks`);
    return { id, seconds: run.runtimeInSeconds, cores: Math.ceil(run.coreCount ?? 1), parents: [...(parents.get(id) as Set<string>)] };
  });
  return { name, tasks: inOrder(tasks, fail), edges, oneSidedEdges };
}

function indexById<Task extends { id: string }>(
  tasks: readonly Task[],
  field: string,
  fail: Fail,
): Map<string, { task: Task; index: number }> {
  const known = new Map<string, { task: Task; index: number }>();
  for (const [index, task] of tasks.entries()) {
    if (known.has(task.id)) fail(`${field}[${index}].id`, `"${task.id}" is used twice`);
    known.set(task.id, { task, index });
  }
  return known;
}

/** An edge counts when either side names it: running a child before a parent it has would be the worse mistake. */
function readEdges(tasks: Instance['workflow']['specification']['tasks'], specified: ReadonlyMap<string, unknown>, fail: Fail) {
  const parents = new Map(tasks.map(({ id }) => [id, new Set<string>()]));
  const named = new Map<string, number>();
  const note = (parent: string, child: string, sides: number) => {
    parents.get(child)?.add(parent);
    const edge = JSON.stringify([parent, child]);
    named.set(edge, (named.get(edge) ?? 0) | sides);
  };
  for (const [index, task] of tasks.entries()) {
    for (const side of ['parents', 'children'] as const) {
      for (const [at, other] of task[side].entries()) {
        if (!specified.has(other)) fail(`workflow.specification.tasks[${index}].${side}[${at}]`, `there is no task "${other}"`);
        if (side === 'parents') note(other, task.id, 1);
        else note(task.id, other, 2);
      }
    }
  }
  return { parents, edges: named.size, oneSidedEdges: [...named.values()].filter((sides) => sides !== 3).length };
}

/** Kahn's algorithm; what is left over stands in a cycle. */
function inOrder(tasks: readonly RecordedTask[], fail: Fail): RecordedTask[] {
  const open = new Map(tasks.map((task) => [task.id, task.parents.length]));
  const children = new Map<string, RecordedTask[]>(tasks.map((task) => [task.id, []]));
  for (const task of tasks) for (const parent of task.parents) children.get(parent)?.push(task);
  const ordered = tasks.filter((task) => task.parents.length === 0);
  for (const task of ordered) {
    for (const child of children.get(task.id) as RecordedTask[]) {
      const left = (open.get(child.id) as number) - 1;
      open.set(child.id, left);
      if (left === 0) ordered.push(child);
    }
  }
  if (ordered.length < tasks.length) {
    const done = new Set(ordered);
    const index = tasks.findIndex((task) => !done.has(task));
    fail(`workflow.specification.tasks[${index}].parents`, `"${tasks[index]?.id}" waits for itself through a cycle of dependencies`);
  }
  return ordered;
}
