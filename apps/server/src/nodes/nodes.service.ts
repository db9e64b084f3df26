import type {
  ChangeNodes,
  NodeListItem,
  NodeLoadHistory,
  NodeQuery,
  NodesChange,
  NodeView,
  Page,
  PatchNode,
  RangeQuery,
} from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller, VisibleProjects } from '../access/caller.js';
import { AgentLookup } from '../access/guard/agent-lookup.js';
import { type RequestingCaller, recordChanges } from '../audit/record-changes.js';
import { WakeBus } from '../wake/wake-bus.js';
import { nodeCondition } from './node-filter.js';
import { readNodeLoad } from './node-load.repository.js';
import { changeService, hitBy, isChanged, nodesToChange, toldOf } from './node-service.repository.js';
import { getNode, listNodes } from './nodes.repository.js';

/** Who acts, by name, and the projects whose attempts it may see. */
export interface Acting {
  by: string;
  projects: VisibleProjects;
}

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
  async patch(id: string, { cordoned, draining, reason, ...rest }: PatchNode, { by, projects }: Acting): Promise<NodeView> {
    await inTransaction(this.source, async (sql) => {
      const [known] = await changeService(sql, [id], { cordoned, draining, reason, by });
      if (!known) throw new AppError('not-found', phrase('no-such-node'));
      await patchNode(sql, id, rest);
    });
    this.announce([id]);
    return this.get(id, projects);
  }

  /** Cordons or drains all that the filter finds, and writes each into the audit; or only counts what that would hit. */
  async changeMany(
    { filter, dryRun, ...change }: ChangeNodes,
    caller: RequestingCaller & Pick<Caller, 'displayName'>,
  ): Promise<NodesChange> {
    const { found, ids, hit } = await inTransaction(this.source, async (sql) => {
      const { text, values } = await nodeCondition(sql, filter);
      const rows = await sql.query<{ id: string }>(`select n.id from nodes n where ${text} order by n.id`, values);
      const all = rows.map(({ id }) => id);
      const ids = await nodesToChange(sql, all, change);
      const hit = await hitBy(sql, ids, change);
      if (!dryRun) {
        const changed = await changeService(sql, ids, { ...change, by: caller.displayName || caller.name });
        await recordChanges(sql, caller, { action: 'patchNode', entity: 'node' }, changed.filter(isChanged).map(toldOf));
      }
      return { found: all.length, ids, hit };
    });
    if (!dryRun && ids.length > 0) this.announce(ids);
    return { dryRun, found, changed: ids.length, ...hit };
  }

  loadOf(id: string, range: RangeQuery): Promise<NodeLoadHistory> {
    return readNodeLoad(this.sql, id, range);
  }

  /** Its history stays; its credential is worth nothing any more. Throws node-in-use unless it is offline, or drained and empty. */
  async remove(id: string): Promise<void> {
    await inTransaction(this.source, (sql) => removeNode(sql, id));
    this.agents.forget(id);
    this.announce([id]);
  }

  private announce(ids: readonly string[]): void {
    this.wakeBus.place();
    this.wakeBus.relay(); // takes back what waits on a node that is cordoned or drained now
    this.wakeBus.changed(ids.map((id) => ({ entity: 'node', id })));
  }
}

async function removeNode(sql: Sql, id: string): Promise<void> {
  const [node] = await sql.query<{ state: string; draining: boolean }>(
    'select state, draining from nodes where id = $1 and removed_at is null for no key update',
    [id],
  );
  if (!node) throw new AppError('not-found', phrase('no-such-node'));
  const live = await sql.query('select 1 from attempts where node_id = $1 and finished_at is null limit 1', [id]);
  const open = await sql.query(`select 1 from reservations where node_id = $1 and state <> 'released' limit 1`, [id]);
  if (live.length + open.length > 0) throw new AppError('node-in-use', phrase('node-holds-attempts'));
  if (node.state !== 'offline' && !node.draining) throw new AppError('node-in-use', phrase('node-is-online'));
  await sql.query(`update nodes set removed_at = clock_timestamp(), state = 'offline', state_since = clock_timestamp() where id = $1`, [
    id,
  ]);
}

async function patchNode(sql: Sql, id: string, { labels, maxAttempts, declaredSpeed }: PatchNode): Promise<void> {
  await sql.query(
    `update nodes set labels = coalesce($2, labels), max_attempts = coalesce($3, max_attempts), declared_speed = case when $4 then $5 else declared_speed end
     where id = $1`,
    [id, labels ? JSON.stringify(labels) : null, maxAttempts ?? null, declaredSpeed !== undefined, declaredSpeed ?? null],
  );
}
