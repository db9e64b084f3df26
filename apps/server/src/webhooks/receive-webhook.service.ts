import type { WebhookAnswer } from '@medley/contracts';
import { AppError, mapPayload, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { recordWebhookRun } from '../audit/record-webhook-run.js';
import { RefusalBudget } from '../audit/refusal-budget.js';
import { type CreatedRun, createRun } from '../runs/create-runs.js';
import { SecretKeys } from '../secrets/secret-keys.js';
import { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { WakeBus } from '../wake/wake-bus.js';
import { KeySeal } from './sealed-key.js';
import { type DeliveryHeaders, isSigned, readHeaders } from './signature.js';
import {
  type Delivery,
  findWebhook,
  insertAccepted,
  insertRefused,
  noteRepeat,
  type StoredWebhook,
  takeFromMinute,
} from './webhook-rows.js';

/** What came to the address of a webhook. */
export interface Arrival {
  address: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The bytes that were signed. */
  rawBody: Buffer;
  payload: Readonly<Record<string, unknown>>;
  /** Where it came from. */
  source: string;
  requestId: string;
}

/** Starts runs by deliveries: only signed ones, of now, each once. */
@Injectable()
export class ReceiveWebhookService {
  private readonly sql: Sql;
  private readonly refusals = new RefusalBudget(Date.now);
  private seal: Promise<KeySeal> | null = null;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WorkflowSpecs) private readonly specs: WorkflowSpecs,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
    @Inject(SecretKeys) private readonly keys: SecretKeys,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  /**
   * An id that was accepted before is answered with the run it started. Throws not-found for an address that is none, webhook-signature-invalid, webhook-timestamp-invalid,
   * too-many-requests, schedule-disabled, parameter-invalid and secret-keys-missing; all but the first are noted among the deliveries.
   */
  async receive(arrival: Arrival): Promise<WebhookAnswer> {
    const webhook = await findWebhook(this.sql, arrival.address);
    if (!webhook) throw new AppError('not-found', phrase('webhook-not-there'));
    const delivery: Delivery = {
      scheduleId: webhook.scheduleId,
      deliveryId: null,
      bytes: arrival.rawBody.length,
      sentAt: null,
      source: arrival.source,
    };
    try {
      const headers = readHeaders(arrival.headers);
      Object.assign(delivery, { deliveryId: headers.id, sentAt: new Date(headers.timestamp * 1000) });
      await this.requireSignature(webhook, headers, arrival.rawBody);
      return await this.accept(webhook, delivery, arrival);
    } catch (error) {
      if (error instanceof AppError) await this.noteRefusal(delivery, error);
      throw error;
    }
  }

  private async requireSignature(webhook: StoredWebhook, headers: DeliveryHeaders, rawBody: Buffer): Promise<void> {
    const { scheduleId, sealedKeys, rule, now } = webhook;
    this.seal ??= KeySeal.open(this.sql, this.keys);
    const seal = await this.seal;
    const keys = sealedKeys.flatMap((sealed) => seal.unseal(scheduleId, sealed) ?? []);
    if (keys.length === 0) throw new AppError('secret-keys-missing', phrase('webhook-key-sealed-by-other'));
    if (!isSigned(keys, headers, rawBody)) throw new AppError('webhook-signature-invalid', phrase('webhook-signature-wrong'));
    const tolerance = rule.toleranceSeconds;
    const seconds = Math.round(headers.timestamp - now.getTime() / 1000);
    if (Math.abs(seconds) > tolerance)
      throw new AppError('webhook-timestamp-invalid', phrase('webhook-timestamp-off', { seconds: Math.abs(seconds), tolerance }));
  }

  private async accept(webhook: StoredWebhook, delivery: Delivery, { payload, requestId }: Arrival): Promise<WebhookAnswer> {
    const { run, repeatedRunId } = await inTransaction(this.source, async (sql) => {
      const id = await insertAccepted(sql, delivery);
      if (id === null) return { run: null, repeatedRunId: await noteRepeat(sql, delivery) };
      if (!webhook.enabled) throw new AppError('schedule-disabled', phrase('webhook-schedule-disabled'));
      const { perMinute } = webhook.rule;
      if (!(await takeFromMinute(sql, webhook.scheduleId, perMinute)))
        throw new AppError('too-many-requests', phrase('webhook-minute-full', { limit: perMinute }));
      const run = await this.startRun(sql, webhook, payload);
      await sql.query('update webhook_deliveries set run_id = $2 where id = $1', [id, run.id]);
      await recordWebhookRun(sql, { runId: run.id, deliveryId: delivery.deliveryId!, source: delivery.source, requestId });
      return { run, repeatedRunId: null };
    });
    if (run) this.announce(webhook, run);
    return { deliveryId: delivery.deliveryId!, runId: run?.id ?? repeatedRunId!, repeated: run === null };
  }

  private async startRun(sql: Sql, webhook: StoredWebhook, payload: Arrival['payload']): Promise<CreatedRun> {
    const { spec } = await this.specs.load(sql, webhook.workflowId, webhook.workflowVersion);
    const withValue = Object.entries(spec.parameters).flatMap(([name, { default: standard }]) => (standard === undefined ? [] : [name]));
    const { values, missing } = mapPayload(payload, webhook.rule.payload, new Set([...Object.keys(webhook.parameters), ...withValue]));
    if (missing.length > 0) throw new AppError('parameter-invalid', missing.map(({ message }) => message).join('; '), missing);
    return createRun(sql, this.specs, {
      projectId: webhook.projectId,
      workflowId: webhook.workflowId,
      workflowVersion: webhook.workflowVersion,
      trigger: 'webhook',
      schedule: { id: webhook.scheduleId, fireAt: webhook.now, zone: webhook.zone },
      parameters: webhook.parameters,
      parametersAreTemplates: true,
      literals: values,
    });
  }

  /** A sender that goes on wrongly does not fill the list: a few a minute are noted, and the others are answered alike. */
  private async noteRefusal(delivery: Delivery, error: AppError): Promise<void> {
    if (this.refusals.admit(`${delivery.scheduleId} ${error.code}`) !== null) await insertRefused(this.sql, delivery, error);
  }

  private announce({ scheduleId, projectId }: StoredWebhook, run: CreatedRun): void {
    this.wakeBus.place();
    this.wakeBus.changed([
      { entity: 'run', id: run.id, projectId },
      { entity: 'schedule', id: scheduleId, projectId },
    ]);
  }
}
