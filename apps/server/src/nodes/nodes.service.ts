import type { NodeListItem, NodeQuery, NodeView, Page, PatchNode } from '@medley/contracts';
import { AppError } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { VisibleProjects } from '../access/caller.js';
import { AgentLookup } from '../access/guard/agent-lookup.js';
import { WakeBus } from '../wake/wake-bus.js';
import { getNode, listNodes } from './nodes.repository.js';

@Injectable()
export class NodesService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
    @Inject(AgentLookup) private readonly agents: AgentLookup,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  list(query: NodeQuery): Promise<Page<NodeListItem>> {
    return listNodes(this.sql, query);
  }

  get(id: string, projects: VisibleProjects): Promise<NodeView> {
    return getNode(this.sql, id, projects);
  }

  /** Only what is given changes. A declared speed of null means "use what was measured". */
  async patch(id: string, patch: PatchNode, projects: VisibleProjects): Promise<NodeView> {
    const rows = await this.sql.query(
      `update nodes set cordoned = coalesce($2, cordoned), draining = coalesce($3, draining), labels = coalesce($4, labels),
         max_attempts = coalesce($5, max_attempts), declared_speed = case when $6 then $7 else declared_speed end
       where id = $1 and removed_at is null returning id`,
      [
        id,
        patch.cordoned ?? null,
        patch.draining ?? null,
        patch.labels ? JSON.stringify(patch.labels) : null,
        patch.maxAttempts ?? null,
        patch.declaredSpeed !== undefined,
        patch.declaredSpeed ?? null,
      ],
    );
    if (rows.length === 0) throw new AppError('not-found', 'There is no such node.');
    this.announce(id);
    return this.get(id, projects);
  }

  /** Its history stays; its credential is worth nothing any more. Throws node-in-use unless it is offline, or drained and empty. */
  async remove(id: string): Promise<void> {
    await inTransaction(this.source, (sql) => removeNode(sql, id));
    this.agents.forget(id);
    this.announce(id);
  }

  private announce(id: string): void {
    this.wakeBus.place();
    this.wakeBus.relay(); // takes back what waits on a node that is cordoned or drained now
    this.wakeBus.changed([{ entity: 'node', id }]);
  }
}

async function removeNode(sql: Sql, id: string): Promise<void> {
  const [node] = await sql.query<{ state: string; draining: boolean }>(
    'select state, draining from nodes where id = $1 and removed_at is null for update',
    [id],
  );
  if (!node) throw new AppError('not-found', 'There is no such node.');
  const live = await sql.query('select 1 from attempts where node_id = $1 and finished_at is null limit 1', [id]);
  const open = await sql.query(`select 1 from reservations where node_id = $1 and state <> 'released' limit 1`, [id]);
  if (live.length + open.length > 0)
    throw new AppError('node-in-use', 'The node still holds attempts; drain it and wait until they have ended.');
  if (node.state !== 'offline' && !node.draining)
    throw new AppError('node-in-use', 'The node is online; drain it first, or stop its agent.');
  await sql.query(`update nodes set removed_at = clock_timestamp(), state = 'offline', state_since = clock_timestamp() where id = $1`, [
    id,
  ]);
}
