import type { ScheduleDefinition } from '@medley/contracts';

type Upstreams = NonNullable<ScheduleDefinition['upstream']>;

/** One upstream as the form holds it; `workflow` is null for the schedule's own run. */
export interface UpstreamDraft {
  workflow: string | null;
  day: number;
  allHours: boolean;
}

export type UpstreamFault = 'upstreamFault' | 'upstreamTwice' | 'upstreamIsSelf' | 'upstreamNone';

export function draftOfUpstreams(upstreams: Upstreams | undefined): UpstreamDraft[] {
  if (upstreams === undefined) return [{ workflow: '', day: 0, allHours: false }];
  return upstreams.map(({ workflow, day, hours }) => ({
    workflow: workflow ?? null,
    day: day ?? (workflow === undefined ? -1 : 0),
    allHours: hours === 'all',
  }));
}

/** What is as usual stands nowhere. */
export function upstreamsOf(drafts: readonly UpstreamDraft[]): Upstreams {
  return drafts.map(({ workflow, day, allHours }) => {
    if (workflow === null) return { self: true, ...(day === -1 ? {} : { day }) };
    return { workflow: workflow.trim(), ...(day === 0 ? {} : { day }), ...(allHours ? { hours: 'all' as const } : {}) };
  });
}

/** As the file says it already, where that means the same. */
export function upstreamAsWritten(drafts: readonly UpstreamDraft[], before: Upstreams | undefined): Upstreams {
  const isSame = before !== undefined && JSON.stringify(draftOfUpstreams(before)) === JSON.stringify(drafts);
  return isSame ? before : upstreamsOf(drafts);
}

/** What is wrong with each, in order, and last with all of them; null where nothing is. `own` is `project/workflow`. */
export function faultsOfUpstreams(drafts: readonly UpstreamDraft[], own: string): (UpstreamFault | null)[] {
  const told = drafts.map((draft) => JSON.stringify(draft));
  const each = drafts.map(({ workflow }, index): UpstreamFault | null => {
    if (told.indexOf(told[index]!) < index) return 'upstreamTwice';
    if (workflow === null) return null;
    const name = workflow.trim();
    if (!/^([a-z][a-z0-9-]{0,62}\/)?[a-z][a-z0-9-]{0,62}$/.test(name)) return 'upstreamFault';
    return name === own || name === own.split('/')[1] ? 'upstreamIsSelf' : null;
  });
  return [...each, drafts.every(({ workflow }) => workflow === null) ? 'upstreamNone' : null];
}
