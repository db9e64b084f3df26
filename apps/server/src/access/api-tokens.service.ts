import type { ApiToken, CreateApiToken, CreatedApiToken, Page, PageQuery, TokenScope } from '@medley/contracts';
import { AppError } from '@medley/core';
import { type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { answerRow } from '../rest/answer-row.js';
import { decodeIdCursor, pageOfRows } from '../rest/cursor.js';
import type { Caller } from './caller.js';
import { generateToken, hashToken } from './secrets.js';

const columns = `id, name, scopes, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

/** API tokens of a user: made, listed, revoked. The token itself is shown once and only its hash is kept. */
@Injectable()
export class ApiTokensService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(caller: Caller, { limit, cursor }: PageQuery): Promise<Page<ApiToken>> {
    const before = decodeIdCursor('tokens', cursor);
    const rows = await this.sql.query<{ id: string }>(
      `select ${columns} from api_tokens where user_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
      [caller.userId, before, limit + 1],
    );
    return pageOfRows(
      rows,
      limit,
      'tokens',
      (row) => [row.id],
      (row) => answerRow<ApiToken>(row),
    );
  }

  /** A token can hold no scope that its maker does not have. */
  async create(caller: Caller, { name, scopes, expiresInDays }: CreateApiToken): Promise<CreatedApiToken> {
    const excess = scopes.filter((scope) => !mayGrant(caller.scopes, scope));
    if (excess.length > 0) throw new AppError('permission-denied', `You do not have ${excess.join(', ')} and cannot pass it on.`);
    const token = generateToken('medley_api');
    const [row] = await this.sql.query<object>(
      `insert into api_tokens (id, user_id, name, token_hash, scopes, expires_at)
       values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(days => $6)) returning ${columns}`,
      [uuidv7(), caller.userId, name, hashToken(token), [...new Set(scopes)], expiresInDays],
    );
    return { ...answerRow<ApiToken>(row!), token };
  }

  async revoke(caller: Caller, id: string): Promise<void> {
    const rows = await this.sql.query(
      'update api_tokens set revoked_at = coalesce(revoked_at, clock_timestamp()) where id = $1 and user_id = $2 returning id',
      [id, caller.userId],
    );
    if (rows.length === 0) throw new AppError('not-found', 'You have no such API token.');
  }
}

function mayGrant(own: readonly TokenScope[], scope: TokenScope): boolean {
  const depth: Record<TokenScope, number> = { read: 0, write: 1, admin: 2 };
  return own.some((mine) => depth[mine] >= depth[scope]);
}
