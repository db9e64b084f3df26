import { type Sql, uuidv7 } from '@medley/database';

/** One run that a webhook started. */
export interface WebhookRun {
  runId: string;
  deliveryId: string;
  source: string;
  requestId: string;
}

/** Writes that a delivery started a run, in the transaction that did it. Nobody is signed in: what is known of the sender is its address and that it has the key. */
export async function recordWebhookRun(sql: Sql, { runId, deliveryId, source, requestId }: WebhookRun): Promise<void> {
  await sql.query(
    `insert into audit_events (id, at, action, actor_kind, project_id, entity_type, entity_id, entity_name, after, outcome, request_id, address, finished_at)
     select $1, now(), 'receiveWebhook', 'anonymous', r.project_id, 'run', r.id, w.name,
       jsonb_build_object('workflow', w.name, 'version', r.workflow_version, 'schedule', s.name, 'delivery', $3::text, 'parameters', r.parameters),
       'succeeded', $5, $4, clock_timestamp()
     from runs r join workflows w on w.id = r.workflow_id join schedules s on s.id = r.schedule_id where r.id = $2`,
    [uuidv7(), runId, deliveryId, source, requestId],
  );
}
