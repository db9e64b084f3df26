import type { AuditEntity, AuditEvent, AuditEventDetail, Page } from '@medley/contracts';
import type { RestClient } from '@medley/testing';

/** What the audit tells of each thing that the last call for many (`action`) has changed, by name: what was, and what is. */
export async function changesOfLast(
  admin: RestClient,
  action: string,
  entity: AuditEntity,
): Promise<[string | null, object | null, object | null][]> {
  const { items } = await admin.get<Page<AuditEvent>>(`/audit?entityType=${entity}&limit=200`);
  const whole = items.find((event) => event.action === action)!;
  const parts = items.filter((event) => event.requestId === whole.requestId && event.id !== whole.id);
  const details = await Promise.all(parts.map(({ id }) => admin.get<AuditEventDetail>(`/audit/${id}`)));
  return details
    .map(({ entityName, before, after }): [string | null, object | null, object | null] => [entityName, before, after])
    .toSorted(([left], [right]) => String(left).localeCompare(String(right)));
}
