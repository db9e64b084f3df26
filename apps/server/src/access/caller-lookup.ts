import type { TokenScope } from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from './caller.js';
import { hashToken } from './secrets.js';

const ALL_SCOPES: TokenScope[] = ['read', 'write', 'admin'];

interface CallerRow {
  id: string;
  user_id: string;
  name: string;
  is_admin: boolean;
  scopes: TokenScope[] | null;
  expires_at: Date | null;
  used_lately: boolean;
}

/** Finds who stands behind a session cookie or an API token. Only hashes are stored, so the look-up is by hash. */
@Injectable()
export class CallerLookup {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async bySession(token: string): Promise<Caller | null> {
    const [row] = await this.sql.query<CallerRow>(
      `select s.id, u.id as user_id, u.name, u.is_admin, s.expires_at
       from sessions s join users u on u.id = s.user_id
       where s.token_hash = $1 and s.expires_at > clock_timestamp() and u.disabled_at is null`,
      [hashToken(token)],
    );
    return row ? callerOf(row, 'session', ALL_SCOPES) : null;
  }

  async byApiToken(token: string): Promise<Caller | null> {
    const [row] = await this.sql.query<CallerRow>(
      `select t.id, u.id as user_id, u.name, u.is_admin, t.scopes, t.expires_at,
         coalesce(t.last_used_at > clock_timestamp() - interval '1 minute', false) as used_lately
       from api_tokens t join users u on u.id = t.user_id
       where t.token_hash = $1 and t.revoked_at is null and (t.expires_at is null or t.expires_at > clock_timestamp()) and u.disabled_at is null`,
      [hashToken(token)],
    );
    if (!row) return null;
    if (!row.used_lately) await this.sql.query('update api_tokens set last_used_at = clock_timestamp() where id = $1', [row.id]);
    return callerOf(row, 'token', row.scopes ?? []);
  }
}

function callerOf(row: CallerRow, via: Caller['via'], scopes: TokenScope[]): Caller {
  return { userId: row.user_id, name: row.name, isAdmin: row.is_admin, via, scopes: row.is_admin ? scopes : [], expiresAt: row.expires_at };
}
