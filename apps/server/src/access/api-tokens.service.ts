import type { ApiToken, CreateApiToken, CreatedApiToken, Page, PageQuery, TokenScope } from '@medley/contracts';
import { AppError } from '@medley/core';
import { ApiTokenEntity, inTransaction, type Sql, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, LessThan, type Repository } from 'typeorm';
import { answerRow } from '../rest/answer-row.js';
import { decodeIdCursor, pageOfRows } from '../rest/cursor.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';
import type { Caller } from './caller.js';
import { generateToken, hashToken } from './secrets.js';

/** API tokens of a user: made, listed, revoked. The token itself is shown once and only its hash is kept. */
@Injectable()
export class ApiTokensService {
  private readonly tokens: Repository<ApiTokenEntity>;

  constructor(@Inject(DataSource) private readonly source: DataSource) {
    this.tokens = source.getRepository(ApiTokenEntity);
  }

  async list(caller: Caller, { limit, cursor }: PageQuery): Promise<Page<ApiToken>> {
    const before = decodeIdCursor('tokens', cursor);
    const rows = await this.tokens.find({
      where: { userId: caller.userId, ...(before === null ? {} : { id: LessThan(before) }) },
      order: { id: 'DESC' },
      take: limit + 1,
    });
    return pageOfRows(rows, limit, 'tokens', (row) => [row.id], apiTokenOf);
  }

  /** A token can hold no scope that its maker does not have. Throws idempotency-key-reused for a repetition: the token is shown once. */
  async create(caller: Caller, body: CreateApiToken, idempotency: Idempotency | null): Promise<CreatedApiToken> {
    const excess = body.scopes.filter((scope) => !mayGrant(caller.scopes, scope));
    if (excess.length > 0) throw new AppError('permission-denied', `You do not have ${excess.join(', ')} and cannot pass it on.`);
    return inTransaction(this.source, (sql) => onceByKey(sql, idempotency, () => insertApiToken(sql, caller.userId, body), 'secret'));
  }

  async revoke(caller: Caller, id: string): Promise<void> {
    const token = await this.tokens.findOneBy({ id, userId: caller.userId });
    if (!token) throw new AppError('not-found', 'You have no such API token.');
    if (token.revokedAt === null) await this.tokens.update({ id }, { revokedAt: () => 'clock_timestamp()' });
  }
}

async function insertApiToken(sql: Sql, userId: string, { name, scopes, expiresInDays }: CreateApiToken): Promise<CreatedApiToken> {
  const token = generateToken('medley_api');
  const [row] = await sql.query<object>(
    `insert into api_tokens (id, user_id, name, token_hash, scopes, expires_at) values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(days => $6))
     returning id, name, scopes, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`,
    [uuidv7(), userId, name, hashToken(token), [...new Set(scopes)], expiresInDays],
  );
  return { ...answerRow<ApiToken>(row!), token };
}

function mayGrant(own: readonly TokenScope[], scope: TokenScope): boolean {
  const depth: Record<TokenScope, number> = { read: 0, write: 1, admin: 2 };
  return own.some((mine) => depth[mine] >= depth[scope]);
}

function apiTokenOf({ id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: ApiTokenEntity): ApiToken {
  return answerRow<ApiToken>({ id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt });
}
