import { randomBytes } from 'node:crypto';
import type { Page, RotateWebhook, Webhook, WebhookDelivery, WebhookDeliveryQuery, WebhookSecret } from '@medley/contracts';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SecretKeys } from '../secrets/secret-keys.js';
import { KeySeal } from './sealed-key.js';
import { generateKey, secretOf } from './signature.js';
import { listDeliveries, readWebhook, writeKey } from './webhook-rows.js';

@Injectable()
export class WebhooksService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(SecretKeys) private readonly keys: SecretKeys,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  get(scheduleId: string): Promise<Webhook> {
    return readWebhook(this.sql, scheduleId);
  }

  /** Makes a key that is shown by this answer alone; the first one opens the address. Throws schedule-kind-wrong. */
  async rotate(scheduleId: string, { graceHours }: RotateWebhook): Promise<WebhookSecret> {
    const key = generateKey();
    const webhook = await inTransaction(this.source, async (sql) => {
      await readWebhook(sql, scheduleId);
      const sealed = (await KeySeal.open(sql, this.keys)).seal(scheduleId, key);
      await writeKey(sql, scheduleId, { address: randomBytes(18).toString('base64url'), sealed, graceHours });
      return readWebhook(sql, scheduleId);
    });
    return { ...webhook, secret: secretOf(key) };
  }

  deliveries(scheduleId: string, query: WebhookDeliveryQuery): Promise<Page<WebhookDelivery>> {
    return listDeliveries(this.sql, scheduleId, query);
  }
}
