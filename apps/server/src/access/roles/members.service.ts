import type { MemberCandidates, MemberQuery, Page, ProjectMember, PutMember } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../caller.js';
import { getMember, listCandidates, listMembers } from './members.repository.js';

/** Roles of users and groups in a project. They hold from the next call on, on every server. */
@Injectable()
export class MembersService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) private readonly source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  list(projectId: string, query: MemberQuery): Promise<Page<ProjectMember>> {
    return listMembers(this.sql, projectId, query);
  }

  candidates(search: string): Promise<MemberCandidates> {
    return listCandidates(this.sql, search);
  }

  /** Gives a role or changes it. Throws not-found for an unknown user or group. */
  put(projectId: string, body: PutMember, caller: Caller): Promise<ProjectMember> {
    return inTransaction(this.source, async (sql) => getMember(sql, projectId, await bindRole(sql, projectId, body, caller.userId)));
  }

  /** Throws not-found. */
  async remove(projectId: string, id: string): Promise<void> {
    const removed = await this.sql.query('delete from role_bindings where project_id = $1 and id = $2 returning id', [projectId, id]);
    if (removed.length === 0) throw new AppError('not-found', phrase('no-such-member'));
  }
}

async function bindRole(sql: Sql, projectId: string, { kind, principalId, role }: PutMember, createdBy: string): Promise<string> {
  const found =
    kind === 'user'
      ? await sql.query('select 1 from users where id = $1 and removed_at is null for key share', [principalId])
      : await sql.query('select 1 from groups where id = $1 for key share', [principalId]);
  if (found.length === 0) throw new AppError('not-found', phrase(kind === 'user' ? 'no-such-user' : 'no-such-group'));
  const column = kind === 'user' ? 'user_id' : 'group_id';
  const [row] = await sql.query<{ id: string }>(
    `insert into role_bindings (id, project_id, ${column}, role, created_by) values ($1, $2, $3, $4, $5)
     on conflict (${column}, project_id) where ${column} is not null do update set role = excluded.role returning id`,
    [uuidv7(), projectId, principalId, role, createdBy],
  );
  return row!.id;
}
