import type { ProjectView } from '@medley/contracts';
import type { ProjectRole, TokenScope } from '@medley/core';
import { type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { type RestClient, withToken } from '@medley/testing';
import { generateToken, hashToken } from '../access/tokens/secrets.js';
import type { TestServer } from './test-server.js';

interface Part {
  /** Roles by project. */
  roles?: Record<string, ProjectRole>;
  isAdmin?: boolean;
  scopes?: TokenScope[];
  /** The only project its token is good for. */
  tokenProjectId?: string;
}

export interface Player {
  id: string;
  name: string;
  client: RestClient;
}

/** People with roles, each calling by an API token, which spares the hashing of a password. */
export class Cast {
  private readonly sql: Sql;
  private names = 0;

  constructor(private readonly server: TestServer) {
    this.sql = sqlOutsideTransaction(server.source);
  }

  async player({ roles = {}, isAdmin = false, scopes = ['admin'], tokenProjectId }: Part = {}): Promise<Player> {
    const id = uuidv7();
    const name = `player-${++this.names}`;
    await this.sql.query('insert into users (id, name, is_admin) values ($1, $2, $3)', [id, name, isAdmin]);
    for (const [projectId, role] of Object.entries(roles)) {
      await this.sql.query('insert into role_bindings (id, project_id, user_id, role) values ($1, $2, $3, $4)', [
        uuidv7(),
        projectId,
        id,
        role,
      ]);
    }
    return { id, name, client: await this.tokenOf(id, scopes, tokenProjectId) };
  }

  /** Another token of the same person. */
  async tokenOf(userId: string, scopes: TokenScope[], projectId: string | null = null): Promise<RestClient> {
    const token = generateToken('medley_api');
    await this.sql.query('insert into api_tokens (id, user_id, name, token_hash, scopes, project_id) values ($1, $2, $3, $4, $5, $6)', [
      uuidv7(),
      userId,
      'test',
      hashToken(token),
      scopes,
      projectId,
    ]);
    return withToken(this.server.url, token);
  }

  async project(name: string): Promise<string> {
    return (await this.server.admin.post<ProjectView>('/projects', { name })).id;
  }
}
