import type { Me, MyProject } from '@medley/contracts';
import { permissionsInProject, permissionsOnPlatform } from '@medley/core';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Caller, visibleProjects } from '../caller.js';

/** What a caller is told about itself, so that a console shows only what it may do. */
@Injectable()
export class MeService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async describe(caller: Caller): Promise<Me> {
    return {
      userId: caller.userId,
      name: caller.name,
      displayName: caller.displayName,
      email: caller.email,
      source: caller.source,
      isAdmin: caller.isPlatformAdmin,
      mustChangePassword: caller.mustChangePassword,
      via: caller.via,
      scopes: [...caller.scopes],
      projectId: caller.tokenProjectId,
      expiresAt: caller.expiresAt?.toISOString() ?? null,
      permissions: permissionsOnPlatform(caller),
      projects: await this.projects(caller),
    };
  }

  private async projects(caller: Caller): Promise<MyProject[]> {
    const rows = await this.sql.query<{ id: string; name: string }>(
      'select id, name from projects where removed_at is null and ($1::uuid[] is null or id = any($1)) order by name',
      [visibleProjects(caller, 'project:read')],
    );
    return rows.map(({ id, name }) => ({
      id,
      name,
      role: caller.isPlatformAdmin ? 'admin' : caller.roles.get(id)!,
      permissions: permissionsInProject(caller, id),
    }));
  }
}
