import type { EndedCredentials, OwnedQuery, OwnedSession, Page, PageQuery, SessionView } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { answerRow } from '../../rest/answer-row.js';
import { decodeIdCursor, listKind, pageOfRows } from '../../rest/cursor.js';
import type { Caller } from '../caller.js';
import { endSessions } from '../passwords/set-password.js';

const sessionColumns = `
s.id, s.id = $1 as "isCurrent", s.address, s.user_agent as "userAgent", s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt"`;

interface SessionRow {
  id: string;
}

/** Open sessions: shown, and ended at once on every server, since each call looks its session up. */
@Injectable()
export class SessionsService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async listOwn(caller: Caller, { limit, cursor }: PageQuery): Promise<Page<SessionView>> {
    const rows = await this.sql.query<SessionRow>(
      `select ${sessionColumns} from sessions s
       where s.user_id = $2 and s.expires_at > clock_timestamp() and ($3::uuid is null or s.id < $3) order by s.id desc limit $4`,
      [currentSession(caller), caller.userId, decodeIdCursor('own-sessions', cursor), limit + 1],
    );
    return pageOfRows(
      rows,
      limit,
      'own-sessions',
      (row) => [row.id],
      (row) => answerRow<SessionView>(row),
    );
  }

  async listAll(caller: Caller, query: OwnedQuery): Promise<Page<OwnedSession>> {
    const kind = listKind('sessions', query);
    const rows = await this.sql.query<SessionRow>(
      `select ${sessionColumns}, u.id as "userId", u.name as user from sessions s join users u on u.id = s.user_id
       where ($2::uuid is null or s.user_id = $2) and s.expires_at > clock_timestamp() and ($3::uuid is null or s.id < $3) order by s.id desc limit $4`,
      [currentSession(caller), query.userId ?? null, decodeIdCursor(kind, query.cursor), query.limit + 1],
    );
    return pageOfRows(
      rows,
      query.limit,
      kind,
      (row) => [row.id],
      (row) => answerRow<OwnedSession>(row),
    );
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
