import type { AuditEventDetail } from '@medley/contracts';

/** Columns of the CSV, the header as well as the order. */
const columns: Record<string, (event: AuditEventDetail) => unknown> = {
  at: ({ at }) => at,
  outcome: ({ outcome }) => outcome,
  code: ({ code }) => code,
  action: ({ action }) => action,
  actorKind: ({ actor }) => actor.kind,
  actor: ({ actor }) => actor.name,
  userId: ({ actor }) => actor.userId,
  via: ({ actor }) => actor.via,
  credential: ({ actor }) => actor.credential,
  credentialId: ({ actor }) => actor.credentialId,
  project: ({ project }) => project,
  projectId: ({ projectId }) => projectId,
  entityType: ({ entityType }) => entityType,
  entity: ({ entityName }) => entityName,
  entityId: ({ entityId }) => entityId,
  before: ({ before }) => before && JSON.stringify(before),
  after: ({ after }) => after && JSON.stringify(after),
  address: ({ address }) => address,
  requestId: ({ requestId }) => requestId,
  finishedAt: ({ finishedAt }) => finishedAt,
  unrecorded: ({ unrecorded }) => unrecorded,
  id: ({ id }) => id,
};

export const csvHeader = `${Object.keys(columns).join(',')}\r\n`;

/** One event as a line of RFC 4180. */
export function csvLine(event: AuditEventDetail): string {
  return `${Object.values(columns)
    .map((column) => csvCell(column(event)))
    .join(',')}\r\n`;
}

/** Spreadsheets take what begins with one of these for a formula. */
function csvCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
