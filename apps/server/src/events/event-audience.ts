import type { ChangeEvent } from '@medley/contracts';
import { isOfEveryone } from './event-projects.js';
import type { EventStream } from './event-stream.js';

/** The projects of one listener: all, or these. */
export type HeardProjects = ReadonlySet<string> | null;

export interface Listener {
  readonly stream: EventStream;
  projects: HeardProjects;
}

/** What of a batch one listener may hear. A change whose project is not known is heard by those alone who hear all. */
export function audibleTo(projects: HeardProjects, changes: readonly ChangeEvent[]): readonly ChangeEvent[] {
  if (projects === null) return changes;
  return changes.filter((change) => isOfEveryone(change) || (change.projectId !== undefined && projects.has(change.projectId)));
}

export function isSameProjects(one: HeardProjects, other: HeardProjects): boolean {
  if (one === null || other === null) return one === other;
  return one.size === other.size && [...one].every((id) => other.has(id));
}
