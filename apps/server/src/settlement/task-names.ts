import type { TaskSpec } from '@medley/contracts';
import { findExpressions, hasReference, type Reference } from '@medley/core';

/** What the values of a task ask for, beside what every run has. */
export interface TaskNames {
  /** Keys of the tasks whose state or outputs it names. */
  tasks: readonly string[];
  /** Variables of the project. */
  variables: readonly string[];
  secrets: readonly string[];
  /** What the iteration before gave. */
  previous: boolean;
}

const known = new WeakMap<TaskSpec, TaskNames>();

/** Read once per version of a workflow: specifications are immutable and shared. */
export function namesOf(task: TaskSpec): TaskNames {
  let names = known.get(task);
  if (names === undefined) {
    const references = textsOf(task).filter(hasReference).flatMap(referencesIn);
    const second = (root: string) => [...new Set(references.filter(({ path }) => path[0] === root).map(({ path }) => path[1]!))];
    names = {
      tasks: second('tasks'),
      variables: second('variables'),
      secrets: second('secrets'),
      previous: second('loop').includes('previous'),
    };
    known.set(task, names);
  }
  return names;
}

function textsOf({ env, http }: TaskSpec): string[] {
  return [...Object.values(env), ...(http === null ? [] : [http.url, http.body ?? '', ...Object.values(http.headers)])];
}

function referencesIn(text: string): Reference[] {
  return findExpressions(text).expressions.flatMap(({ expression }) => [...expression.references]);
}
