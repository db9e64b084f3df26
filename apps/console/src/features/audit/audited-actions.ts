import { JOIN_ACTION, type RestRoute, restRoutes } from '@medley/contracts';

/** Everything that the audit may name as an action and is looked for by: what sends something along, and the join of an agent. */
export const auditedActions: readonly string[] = [
  ...Object.entries(restRoutes as Record<string, RestRoute>)
    .filter(([name, { method }]) => method !== 'GET' || name === 'finishOidcSignIn')
    .map(([name]) => name),
  JOIN_ACTION,
].sort();

/** The time an address's word stands for, from now on backwards; null for all of it. */
export const periodHours: Readonly<Record<string, number>> = { hour: 1, day: 24, week: 168, month: 720 };

/** To the minute, so that the same address asks the same question. */
export function sinceOf(period: string, nowMs: number): string | undefined {
  const hours = periodHours[period];
  return hours === undefined ? undefined : new Date(Math.floor(nowMs / 60_000) * 60_000 - hours * 3_600_000).toISOString();
}
