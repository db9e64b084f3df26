import { type DagTask, indexDag, parentsOf } from '@medley/core';
import { entry, taskEntries } from '../fault.js';
import { needsWithBranch, normaliseNeeds } from '../normalise-workflow.js';
import { needsSchema } from '../schema/task.schema.js';
import { switchesOf } from './check-switches.js';

/** Which tasks have ended whenever a task starts: what it needs, and what that needs; for a final task every other one. Looked up only for tasks that ask. */
export class Upstream {
  private readonly tasks: ReadonlyMap<string, DagTask>;
  private readonly known = new Map<string, ReadonlySet<string>>();
  private readonly ordinary: readonly string[];
  private readonly final: ReadonlySet<string>;

  constructor(document: unknown) {
    const all = taskEntries(document);
    const switches = switchesOf(document);
    const tasks = all.map(({ key, task }): DagTask => {
      const needs = normaliseNeeds(needsSchema.optional().safeParse(entry(task, 'needs')).data);
      const of = switches.get(key);
      return { key, needs: of === undefined ? needs : needsWithBranch(needs, of) };
    });
    this.tasks = indexDag(tasks).tasks;
    this.ordinary = all.filter(({ section }) => section === 'tasks').map(({ key }) => key);
    this.final = new Set(all.filter(({ section }) => section === 'finally').map(({ key }) => key));
  }

  get keys(): Iterable<string> {
    return this.tasks.keys();
  }

  has(key: string): boolean {
    return this.tasks.has(key);
  }

  of(key: string): ReadonlySet<string> {
    const known = this.known.get(key) ?? this.find(key);
    this.known.set(key, known);
    return known;
  }

  private find(key: string): ReadonlySet<string> {
    const found = new Set<string>(this.final.has(key) ? this.ordinary : []);
    const queue = [key];
    for (let each = queue.pop(); each !== undefined; each = queue.pop()) {
      const task = this.tasks.get(each);
      for (const parent of task === undefined ? [] : parentsOf(task)) {
        if (!found.has(parent)) queue.push(parent);
        found.add(parent);
      }
    }
    return found;
  }
}
