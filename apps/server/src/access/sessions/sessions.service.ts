import type { EndedCredentials, OwnedSession, OwnedSessionQuery, Page, SessionQuery, SessionView } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { answerRow } from '../../rest/answer-row.js';
import { listKind } from '../../rest/cursor.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../../rest/sorted-list.js';
import type { Caller } from '../caller.js';
import { endSessions } from '../passwords/set-password.js';

const sessionColumns = `
s.id, s.id = $1 as "isCurrent", s.address, s.user_agent as "userAgent", s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt"`;

const sortColumns: Record<string, SortColumn> = {
  user: { sql: 'lower(u.name)', type: 'text' },
  address: { sql: `coalesce(s.address::text, '')`, type: 'text' },
  created: { sql: 's.created_at', type: 'timestamptz' },
  lastSeen: { sql: 's.last_seen_at', type: 'timestamptz' },
  expires: { sql: 's.expires_at', type: 'timestamptz' },
};

/** Open sessions: shown, and ended at once on every server, since each call looks its session up. */
@Injectable()
export class SessionsService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async listOwn(caller: Caller, query: SessionQuery): Promise<Page<SessionView>> {
    const kind = listKind('own-sessions', query);
    const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 's.id' });
    const rows = await this.sql.query<SortedRow>(
      `select ${sessionColumns}, ${order.select} as "sortText" from sessions s
       where s.user_id = $2 and s.expires_at > clock_timestamp() and ${order.after(3, 4)} order by ${order.orderBy} limit $5`,
      [currentSession(caller), caller.userId, ...order.position, query.limit + 1],
    );
    return pageOfSorted(rows, query.limit, kind, (row) => answerRow<SessionView>(row));
  }

  async listAll(caller: Caller, query: OwnedSessionQuery): Promise<Page<OwnedSession>> {
    const kind = listKind('sessions', query);
    const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 's.id' });
    const rows = await this.sql.query<SortedRow>(
      `select ${sessionColumns}, u.id as "userId", u.name as user, ${order.select} as "sortText" from sessions s join users u on u.id = s.user_id
       where ($2::uuid is null or s.user_id = $2) and s.expires_at > clock_timestamp() and ${order.after(3, 4)} order by ${order.orderBy} limit $5`,
      [currentSession(caller), query.userId ?? null, ...order.position, query.limit + 1],
    );
    return pageOfSorted(rows, query.limit, kind, (row) => answerRow<OwnedSession>(row));
  }

  async endOwn(caller: Caller, id: string): Promise<void> {
    const ended = await this.sql.query('delete from sessions where id = $1 and user_id = $2 returning id', [id, caller.userId]);
    if (ended.length === 0) throw new AppError('not-found', phrase('no-own-session'));
  }

  async end(id: string): Promise<void> {
    const ended = await this.sql.query('delete from sessions where id = $1 returning id', [id]);
    if (ended.length === 0) throw new AppError('not-found', phrase('no-such-session'));
  }

  async endAllOf(userId: string): Promise<EndedCredentials> {
    return { sessions: await endSessions(this.sql, userId), apiTokens: 0 };
  }
}

function currentSession(caller: Caller): string | null {
  return caller.via === 'session' ? caller.credentialId : null;
}
