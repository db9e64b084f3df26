import { JOIN_ACTION, REST_PREFIX, type RestRoute, type RestRouteName, restRoutes } from '@medley/contracts';
import type { FastifyRequest } from 'fastify';
import type { AuditRule } from './audit-rule.js';
import { accessRules } from './rules/access.rules.js';
import { workRules } from './rules/work.rules.js';

/** What each call changes. An operation that is neither here nor among `unaudited` is recorded as it was called, and a test fails on it. */
export const auditRules: Readonly<Record<string, AuditRule>> = { ...accessRules, ...workRules };

/** Operations that send something along and of which no successful call is recorded, each with its reason. */
export const unaudited: Readonly<Partial<Record<RestRouteName, string>>> = {
  login: 'is recorded in the transaction that opens the session; failed ones as refusals',
  logout: 'ends the session that asks for it',
  validateWorkflow: 'changes nothing',
  previewSchedule: 'changes nothing',
  previewBackfill: 'changes nothing',
  readICalendar: 'changes nothing',
  receiveWebhook: 'is recorded in the transaction that starts the run; refused ones are kept among the deliveries',
  replayPlacement: 'changes nothing',
  previewRunBulk: 'changes nothing',
  dryRun: 'changes nothing',
  dryRunFile: 'changes nothing',
  createSavedView: 'is seen by nobody but the one who saved it',
  putSavedView: 'the same',
  removeSavedView: 'the same',
};

const undeclared: AuditRule = { entity: 'other' };

const actions = new Map<string, string>([
  ...Object.entries(restRoutes as Record<string, RestRoute>).map(
    ([name, { method, path }]) => [`${method} ${REST_PREFIX}${path}`, name] as const,
  ),
  ['POST /agent/v1/join', JOIN_ACTION],
]);

/** The name of what is called: an operation of the REST API or the join of an agent; null for everything else. */
export function actionOf({ method, routeOptions }: Pick<FastifyRequest, 'method' | 'routeOptions'>): string | null {
  return actions.get(`${method} ${routeOptions.url}`) ?? null;
}

/** How a call is recorded; null for one that is not. */
export function auditRuleOf(action: string): AuditRule | null {
  if (Object.hasOwn(auditRules, action)) return auditRules[action]!;
  if (Object.hasOwn(unaudited, action) || isReading(action)) return null;
  return undeclared;
}

/** Whether an operation sends nothing along. */
export function isReading(action: string): boolean {
  return (restRoutes as Record<string, RestRoute>)[action]?.method === 'GET';
}
