import type { ApiToken, CreateApiToken, CreatedApiToken, Page, PageQuery, TokenScope } from '@medley/contracts';
import { AppError } from '@medley/core';
import { ApiTokenEntity, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, LessThan, type Repository } from 'typeorm';
import { answerRow } from '../rest/answer-row.js';
import { decodeIdCursor, pageOfRows } from '../rest/cursor.js';
import type { Caller } from './caller.js';
import { generateToken, hashToken } from './secrets.js';

/** API tokens of a user: made, listed, revoked. The token itself is shown once and only its hash is kept. */
@Injectable()
export class ApiTokensService {
  private readonly tokens: Repository<ApiTokenEntity>;

  constructor(@Inject(DataSource) source: DataSource) {
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

  /** A token can hold no scope that its maker does not have. */
  async create(caller: Caller, { name, scopes, expiresInDays }: CreateApiToken): Promise<CreatedApiToken> {
    const excess = scopes.filter((scope) => !mayGrant(caller.scopes, scope));
    if (excess.length > 0) throw new AppError('permission-denied', `You do not have ${excess.join(', ')} and cannot pass it on.`);
    const token = generateToken('medley_api');
    const id = uuidv7();
    await this.tokens.insert({
      id,
      userId: caller.userId,
      name,
      tokenHash: hashToken(token),
      scopes: [...new Set(scopes)],
      expiresAt: expiresInDays === null ? null : () => `clock_timestamp() + interval '${expiresInDays} days'`,
    });
    return { ...apiTokenOf(await this.tokens.findOneByOrFail({ id })), token };
  }

  async revoke(caller: Caller, id: string): Promise<void> {
    const token = await this.tokens.findOneBy({ id, userId: caller.userId });
    if (!token) throw new AppError('not-found', 'You have no such API token.');
    if (token.revokedAt === null) await this.tokens.update({ id }, { revokedAt: () => 'clock_timestamp()' });
  }
}

function mayGrant(own: readonly TokenScope[], scope: TokenScope): boolean {
  const depth: Record<TokenScope, number> = { read: 0, write: 1, admin: 2 };
  return own.some((mine) => depth[mine] >= depth[scope]);
}

function apiTokenOf({ id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: ApiTokenEntity): ApiToken {
  return answerRow<ApiToken>({ id, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt });
}
