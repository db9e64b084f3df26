import {
  maxSecrets,
  type Page,
  type PutSecret,
  type ResealAnswer,
  type SecretQuery,
  type SecretView,
  type VariableUses,
} from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { answerRow } from '../rest/answer-row.js';
import { listKind } from '../rest/cursor.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../rest/sorted-list.js';
import { unstorableText } from '../rest/storable-text.js';
import { readWorkflowsNaming } from '../variables/workflows-naming.js';
import { resealWebhookKeys } from '../webhooks/reseal-webhook-keys.js';
import { type SealedSecret, SecretKeys } from './secret-keys.js';

const columns = 'project_id as "projectId", name, description, updated_at as "updatedAt"';
const sortColumns: Record<string, SortColumn> = {
  name: { sql: 'name', type: 'text' },
  updated: { sql: 'updated_at', type: 'timestamptz' },
};
const RESEAL_BATCH = 200;

interface StoredSecret extends SealedSecret {
  projectId: string;
  name: string;
}

/** Secrets of projects: written, used by claims, and given back by nothing here. */
@Injectable()
export class SecretsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(SecretKeys) private readonly keys: SecretKeys,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(projectId: string, query: SecretQuery): Promise<Page<SecretView>> {
    const kind = listKind('secrets', { ...query, projectId });
    const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'name', idType: 'text' });
    const rows = await this.sql.query<SortedRow>(
      `select ${columns}, name as id, ${order.select} as "sortText" from project_secrets where project_id = $1
         and ($2::text is null or position(lower($2) in lower(name)) > 0 or position(lower($2) in lower(description)) > 0)
         and ${order.after(3, 4)} order by ${order.orderBy} limit $5`,
      [projectId, query.search ?? null, ...order.position, query.limit + 1],
    );
    return pageOfSorted(rows, query.limit, kind, ({ id: _, ...row }) => answerRow<SecretView>(row));
  }

  /** Throws secret-keys-missing, and validation-failed for a description that cannot be stored and when the project has too many. */
  put(projectId: string, name: string, { value, description }: PutSecret): Promise<SecretView> {
    const fault = unstorableText({ value, description });
    if (fault) throw new AppError('validation-failed', `${fault.path}: ${fault.message}`, [fault]);
    const { sealed, keyId } = this.keys.seal(projectId, name, value);
    return inTransaction(this.source, async (sql) => {
      await sql.query('select id from projects where id = $1 for key share', [projectId]);
      const [row] = await sql.query<object>(
        `insert into project_secrets (project_id, name, sealed, key_id, description) values ($1, $2, $3, $4, $5)
         on conflict (project_id, name) do update set sealed = excluded.sealed, key_id = excluded.key_id,
           description = excluded.description, updated_at = clock_timestamp()
         returning ${columns}`,
        [projectId, name, sealed, keyId, description],
      );
      const [{ count } = { count: 0 }] = await sql.query<{ count: number }>(
        'select count(*)::int as count from project_secrets where project_id = $1',
        [projectId],
      );
      if (count > maxSecrets) throw new AppError('validation-failed', phrase('too-many-secrets', { limit: maxSecrets }));
      return answerRow<SecretView>(row!);
    });
  }

  async uses(projectId: string, name: string): Promise<VariableUses> {
    const rows = await this.sql.query('select 1 from project_secrets where project_id = $1 and name = $2', [projectId, name]);
    if (rows.length === 0) throw noSuchSecret();
    return { name, ...(await readWorkflowsNaming(this.sql, projectId, `secrets.${name}`)) };
  }

  /** Throws not-found. */
  async remove(projectId: string, name: string): Promise<void> {
    const removed = await this.sql.query('delete from project_secrets where project_id = $1 and name = $2 returning name', [
      projectId,
      name,
    ]);
    if (removed.length === 0) throw noSuchSecret();
  }

  /**
   * Seals what an earlier key sealed with the present one, secrets and the keys of webhooks, a batch at a time, so that the earlier key can be taken away. Throws
   * secret-keys-missing.
   */
  async reseal(): Promise<ResealAnswer> {
    const presentId = this.keys.require();
    const answer = { resealed: 0, unopened: 0 };
    for (let after: StoredSecret | null = null; ; ) {
      const batch: StoredSecret[] = await this.resealAfter(presentId, after, answer);
      if (batch.length < RESEAL_BATCH) break;
      after = batch.at(-1)!;
    }
    await resealWebhookKeys(this.source, this.keys, answer);
    return answer;
  }

  private resealAfter(presentId: string, after: StoredSecret | null, answer: ResealAnswer): Promise<StoredSecret[]> {
    return inTransaction(this.source, async (sql) => {
      const batch = await sql.query<StoredSecret>(
        `select project_id as "projectId", name, sealed, key_id as "keyId" from project_secrets
         where key_id <> $1 and ($2::uuid is null or (project_id, name) > ($2, $3)) order by project_id, name limit $4 for update`,
        [presentId, after?.projectId ?? null, after?.name ?? '', RESEAL_BATCH],
      );
      for (const secret of batch) {
        const value = this.keys.open(secret.projectId, secret.name, secret);
        if (value === null) {
          answer.unopened += 1;
          continue;
        }
        const { sealed, keyId } = this.keys.seal(secret.projectId, secret.name, value);
        await sql.query('update project_secrets set sealed = $3, key_id = $4 where project_id = $1 and name = $2', [
          secret.projectId,
          secret.name,
          sealed,
          keyId,
        ]);
        answer.resealed += 1;
      }
      return batch;
    });
  }
}

function noSuchSecret(): AppError {
  return new AppError('not-found', phrase('no-such-secret'));
}
