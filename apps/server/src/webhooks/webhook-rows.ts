import { type Page, REST_PREFIX, type Webhook, type WebhookDelivery, type WebhookDeliveryQuery } from '@medley/contracts';
import { AppError, type ParameterValues, phrase, type Webhook as WebhookTiming } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import { answerRow } from '../rest/answer-row.js';
import { listKind } from '../rest/cursor.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../rest/sorted-list.js';

/** What the column `rule` of a webhook schedule holds. */
export type WebhookRule = Omit<WebhookTiming, 'kind'>;

export interface StoredWebhook {
  scheduleId: string;
  projectId: string;
  workflowId: string;
  workflowVersion: number;
  zone: string;
  enabled: boolean;
  parameters: ParameterValues;
  rule: WebhookRule;
  /** The present one, and the one before as long as it is good. */
  sealedKeys: Buffer[];
  now: Date;
}

/** The webhook of an address, whose schedule and project are still there; null when there is none. */
export async function findWebhook(sql: Sql, address: string): Promise<StoredWebhook | null> {
  const [row] = await sql.query<Omit<StoredWebhook, 'sealedKeys'> & { key: Buffer; previous: Buffer | null }>(
    `select s.id as "scheduleId", s.project_id as "projectId", s.workflow_id as "workflowId", w.latest_version as "workflowVersion", s.zone, s.enabled, s.parameters,
       s.rule, h.sealed_key as key, case when h.previous_until > clock_timestamp() then h.previous_key end as previous, clock_timestamp() as now
     from webhooks h join schedules s on s.id = h.schedule_id join workflows w on w.id = s.workflow_id join projects p on p.id = s.project_id
     where h.address = $1 and s.kind = 'webhook' and s.removed_at is null and p.removed_at is null`,
    [address],
  );
  if (!row) return null;
  const { key, previous, ...webhook } = row;
  return { ...webhook, sealedKeys: previous ? [key, previous] : [key] };
}

/** Throws not-found, and schedule-not-webhook for a schedule of another kind. */
export async function readWebhook(sql: Sql, scheduleId: string): Promise<Webhook> {
  const [row] = await sql.query<{
    kind: string;
    rule: WebhookRule;
    address: string | null;
    key_at: Date | null;
    previous_until: Date | null;
  }>(
    `select s.kind, s.rule, h.address, h.key_at, case when h.previous_until > clock_timestamp() then h.previous_until end as previous_until
     from schedules s left join webhooks h on h.schedule_id = s.id where s.id = $1 and s.removed_at is null`,
    [scheduleId],
  );
  if (!row) throw new AppError('not-found', phrase('no-such-schedule'));
  if (row.kind !== 'webhook') throw new AppError('schedule-kind-wrong', phrase('webhook-of-other-kind'));
  const { rule, address } = row;
  return {
    scheduleId,
    address: address && `${REST_PREFIX}/hooks/${address}`,
    secretCreatedAt: row.key_at?.toISOString() ?? null,
    previousUntil: row.previous_until?.toISOString() ?? null,
    ...rule,
  };
}

/** The first key gives the schedule its address, which later ones leave as it is. */
export async function writeKey(sql: Sql, scheduleId: string, key: { address: string; sealed: Buffer; graceHours: number }): Promise<void> {
  await sql.query(
    `insert into webhooks (schedule_id, address, sealed_key) values ($1, $2, $3)
     on conflict (schedule_id) do update set previous_key = case when $4::int > 0 then webhooks.sealed_key end,
       previous_until = case when $4::int > 0 then clock_timestamp() + make_interval(hours => $4::int) end, sealed_key = $3, key_at = clock_timestamp()`,
    [scheduleId, key.address, key.sealed, key.graceHours],
  );
}

/** Takes one of the minute's deliveries, over all servers; false when there is none left. */
export async function takeFromMinute(sql: Sql, scheduleId: string, perMinute: number): Promise<boolean> {
  const taken = await sql.query(
    `update webhooks set window_count = case when window_at > clock_timestamp() - interval '1 minute' then window_count + 1 else 1 end,
       window_at = case when window_at > clock_timestamp() - interval '1 minute' then window_at else clock_timestamp() end
     where schedule_id = $1 and (window_count < $2 or window_at <= clock_timestamp() - interval '1 minute') returning 1`,
    [scheduleId, perMinute],
  );
  return taken.length > 0;
}

export interface Delivery {
  scheduleId: string;
  deliveryId: string | null;
  bytes: number;
  sentAt: Date | null;
  source: string;
}

/** Notes a delivery as accepted. Null when its id was accepted before: also by a transaction that ends only now. */
export async function insertAccepted(sql: Sql, { scheduleId, deliveryId, bytes, sentAt, source }: Delivery): Promise<string | null> {
  const [row] = await sql.query<{ id: string }>(
    `insert into webhook_deliveries (id, schedule_id, delivery_id, outcome, bytes, sent_at, source) values ($1, $2, $3, 'accepted', $4, $5, $6)
     on conflict (schedule_id, delivery_id) where outcome = 'accepted' do nothing returning id`,
    [uuidv7(), scheduleId, deliveryId, bytes, sentAt, source],
  );
  return row?.id ?? null;
}

/** The run that the first delivery of this id started. */
export async function noteRepeat(sql: Sql, { scheduleId, deliveryId }: Delivery): Promise<string> {
  const [row] = await sql.query<{ run_id: string }>(
    `update webhook_deliveries set repeats = repeats + 1 where schedule_id = $1 and delivery_id = $2 and outcome = 'accepted' returning run_id`,
    [scheduleId, deliveryId],
  );
  return row!.run_id;
}

export async function insertRefused(sql: Sql, { scheduleId, deliveryId, bytes, sentAt, source }: Delivery, error: AppError): Promise<void> {
  await sql.query(
    `insert into webhook_deliveries (id, schedule_id, delivery_id, outcome, code, detail, explanation, bytes, sent_at, source)
     values ($1, $2, $3, 'refused', $4, $5, $6, $7, $8, $9)`,
    [
      uuidv7(),
      scheduleId,
      deliveryId,
      error.code,
      error.detail.slice(0, 1000),
      error.phrase && JSON.stringify(error.phrase),
      bytes,
      sentAt,
      source,
    ],
  );
}

// Ids grow with time, and deliveries of a schedule are kept in their order.
const sortColumns: Record<string, SortColumn> = {
  received: { sql: 'id', type: 'uuid' },
  outcome: { sql: 'outcome', type: 'text' },
  bytes: { sql: 'bytes', type: 'int' },
};

export async function listDeliveries(sql: Sql, scheduleId: string, query: WebhookDeliveryQuery): Promise<Page<WebhookDelivery>> {
  const kind = listKind('webhook-deliveries', { ...query, scheduleId });
  const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'id' });
  const rows = await sql.query<SortedRow>(
    `select id, delivery_id as "deliveryId", outcome, code, detail, explanation, run_id as "runId", repeats, bytes, sent_at as "sentAt", received_at as "receivedAt", source as "from",
       ${order.select} as "sortText"
     from webhook_deliveries where schedule_id = $1 and ${order.after(2, 3)} order by ${order.orderBy} limit $4`,
    [scheduleId, ...order.position, query.limit + 1],
  );
  return pageOfSorted(rows, query.limit, kind, (row) => answerRow<WebhookDelivery>(row));
}
