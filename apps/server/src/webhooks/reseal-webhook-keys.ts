import type { ResealAnswer } from '@medley/contracts';
import { inTransaction, type Sql } from '@medley/database';
import type { DataSource } from 'typeorm';
import type { SecretKeys } from '../secrets/secret-keys.js';
import { KeySeal, prefixOf } from './sealed-key.js';

const BATCH = 200;

interface StoredKeys {
  id: string;
  present: Buffer;
  /** As long as it is good. */
  previous: Buffer | null;
}

// Locked against a rotation, which would otherwise be undone.
const statement = `
select schedule_id as id, sealed_key as present, case when previous_until > clock_timestamp() then previous_key end as previous from webhooks
where ($1::uuid is null or schedule_id > $1)
  and (substring(sealed_key from 1 for $3) <> $2 or previous_until > clock_timestamp() and substring(previous_key from 1 for $3) <> $2)
order by schedule_id limit $4 for no key update`;

/** Seals the keys of webhooks that anything else sealed with the present key, a batch at a time, and counts webhooks in `answer`. */
export async function resealWebhookKeys(source: DataSource, keys: SecretKeys, answer: ResealAnswer): Promise<void> {
  const prefix = prefixOf(keys.require());
  for (let after: string | null = null; ; ) {
    const batch: StoredKeys[] = await inTransaction(source, (sql) => resealBatch(sql, keys, prefix, after, answer));
    if (batch.length < BATCH) return;
    after = batch.at(-1)!.id;
  }
}

async function resealBatch(sql: Sql, keys: SecretKeys, prefix: Buffer, after: string | null, answer: ResealAnswer): Promise<StoredKeys[]> {
  const seal = await KeySeal.open(sql, keys);
  const batch = await sql.query<StoredKeys>(statement, [after, prefix, prefix.length, BATCH]);
  for (const { id, present, previous } of batch) {
    const [opened, openedPrevious] = [present, previous].map((stored) => (stored === null ? null : seal.unseal(id, stored)));
    if (!opened || (previous !== null && !openedPrevious)) {
      answer.unopened += 1;
      continue;
    }
    await sql.query('update webhooks set sealed_key = $2, previous_key = $3 where schedule_id = $1', [
      id,
      seal.seal(id, opened),
      openedPrevious ? seal.seal(id, openedPrevious) : null,
    ]);
    answer.resealed += 1;
  }
  return batch;
}
