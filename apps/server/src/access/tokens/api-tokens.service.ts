import type { ApiToken, CreateApiToken, CreatedApiToken, OwnedApiToken, OwnedTokenQuery, Page, TokenQuery } from '@medley/contracts';
import { AppError, phrase, tokenScopes } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { answerRow } from '../../rest/answer-row.js';
import { listKind } from '../../rest/cursor.js';
import { type Idempotency, onceByKey } from '../../rest/idempotency.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../../rest/sorted-list.js';
import { type Caller, requireInProject } from '../caller.js';
import { generateToken, hashToken } from './secrets.js';

const tokenColumns = `
t.id, t.name, t.scopes, t.project_id as "projectId", p.name as project, t.created_at as "createdAt", t.expires_at as "expiresAt",
t.last_used_at as "lastUsedAt", t.revoked_at as "revokedAt"`;
const tokenFrom = 'api_tokens t left join projects p on p.id = t.project_id';

const sortColumns: Record<string, SortColumn> = {
  name: { sql: 'lower(t.name)', type: 'text' },
  user: { sql: 'lower(u.name)', type: 'text' },
  created: { sql: 't.created_at', type: 'timestamptz' },
  expires: { sql: `coalesce(t.expires_at, 'infinity')`, type: 'timestamptz' },
  lastUsed: { sql: `coalesce(t.last_used_at, '-infinity')`, type: 'timestamptz' },
};

/** API tokens: made, listed, revoked. The token itself is shown once and only its hash is kept. */
@Injectable()
export class ApiTokensService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) private readonly source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(caller: Caller, query: TokenQuery): Promise<Page<ApiToken>> {
    const kind = listKind('tokens', query);
    const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 't.id' });
    const rows = await this.sql.query<SortedRow>(
      `select ${tokenColumns}, ${order.select} as "sortText" from ${tokenFrom} where t.user_id = $1 and ${order.after(2, 3)}
       order by ${order.orderBy} limit $4`,
      [caller.userId, ...order.position, query.limit + 1],
    );
    return pageOfSorted(rows, query.limit, kind, (row) => answerRow<ApiToken>(row));
  }

  /** Of everyone, or of one user. */
  async listAll(query: OwnedTokenQuery): Promise<Page<OwnedApiToken>> {
    const kind = listKind('all-tokens', query);
    const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 't.id' });
    const rows = await this.sql.query<SortedRow>(
      `select ${tokenColumns}, u.id as "userId", u.name as user, ${order.select} as "sortText" from ${tokenFrom} join users u on u.id = t.user_id
       where ($1::uuid is null or t.user_id = $1) and ${order.after(2, 3)} order by ${order.orderBy} limit $4`,
      [query.userId ?? null, ...order.position, query.limit + 1],
    );
    return pageOfSorted(rows, query.limit, kind, (row) => answerRow<OwnedApiToken>(row));
  }

  /**
   * What a token can do is the least of its scopes, its project and its user's rights at the time of each call; one that is made by a token reaches no
   * further than that one. Throws idempotency-key-reused for a repetition: the token is shown once.
   */
  create(caller: Caller, body: CreateApiToken, idempotency: Idempotency | null): Promise<CreatedApiToken> {
    const reach = Math.max(...caller.scopes.map((scope) => tokenScopes.indexOf(scope)));
    const excess = body.scopes.filter((scope) => tokenScopes.indexOf(scope) > reach);
    if (excess.length > 0) throw new AppError('permission-denied', phrase('scopes-beyond-own', { scopes: excess }));
    const projectId = body.projectId ?? caller.tokenProjectId;
    if (projectId) requireInProject(caller, 'project:read', projectId, phrase('no-such-project'));
    return inTransaction(this.source, (sql) =>
      onceByKey(sql, idempotency, () => insertApiToken(sql, caller.userId, { ...body, projectId }), 'secret'),
    );
  }

  async revoke(caller: Caller, id: string): Promise<void> {
    if (!(await this.end(id, caller.userId))) throw new AppError('not-found', phrase('no-own-token'));
  }

  async revokeAny(id: string): Promise<void> {
    if (!(await this.end(id, null))) throw new AppError('not-found', phrase('no-such-token'));
  }

  private async end(id: string, userId: string | null): Promise<boolean> {
    const rows = await this.sql.query(
      'update api_tokens set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = $1 and ($2::uuid is null or user_id = $2) returning id',
      [id, userId],
    );
    return rows.length > 0;
  }
}

async function insertApiToken(
  sql: Sql,
  userId: string,
  { name, scopes, projectId, expiresInDays }: CreateApiToken,
): Promise<CreatedApiToken> {
  const token = generateToken('medley_api');
  const id = uuidv7();
  const projects = projectId
    ? await sql.query('select 1 from projects where id = $1 and removed_at is null for key share', [projectId])
    : null;
  if (projects?.length === 0) throw new AppError('not-found', phrase('no-such-project'));
  await sql.query(
    `insert into api_tokens (id, user_id, name, token_hash, scopes, project_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, clock_timestamp() + make_interval(days => $7))`,
    [id, userId, name, hashToken(token), [...new Set(scopes)], projectId ?? null, expiresInDays],
  );
  const [row] = await sql.query<object>(`select ${tokenColumns} from ${tokenFrom} where t.id = $1`, [id]);
  return { ...answerRow<ApiToken>(row!), token };
}
