import type { NodesChange } from '@medley/contracts';
import type { Sql } from '@medley/database';

/** What an operator tells nodes: only what is given changes. */
export interface ServiceChange {
  cordoned?: boolean | undefined;
  draining?: boolean | undefined;
  reason?: string | undefined;
  /** Who does it, by name. */
  by: string;
}

/**
 * Takes nodes out of service or back, with the reason and the moment, and counts what a drain begins with. A node that is told nothing new keeps both. Returns
 * the ids of those that are there.
 */
export async function changeService(
  sql: Sql,
  ids: readonly string[],
  { cordoned, draining, reason, by }: ServiceChange,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `with told as (
       select id, cordoned as was_cordoned, draining as was_draining, coalesce($2, cordoned) as cordoned, coalesce($3, draining) as draining
       from nodes where id = any($1) and removed_at is null order by id for update
     ), judged as (
       select *, cordoned or draining as is_out, (cordoned, draining) is distinct from (was_cordoned, was_draining) as is_new from told
     )
     update nodes n set cordoned = j.cordoned, draining = j.draining,
       service_since = case when not j.is_out then null when j.is_new then clock_timestamp() else n.service_since end,
       service_reason = case when not j.is_out then null when $4::text is not null then nullif($4, '') when j.is_new then null else n.service_reason end,
       service_by = case when not j.is_out then null when j.is_new or $4::text is not null then $5 else n.service_by end,
       drain_attempts = case when not j.draining then null when j.was_draining then n.drain_attempts
         else (select count(*)::int from attempts a where a.node_id = n.id and a.finished_at is null) end
     from judged j where n.id = j.id returning n.id`,
    [[...ids], cordoned ?? null, draining ?? null, reason ?? null, by],
  );
  return rows.map(({ id }) => id);
}

/** Of these nodes, those that a change would make different. */
export async function nodesToChange(
  sql: Sql,
  ids: readonly string[],
  change: Pick<ServiceChange, 'cordoned' | 'draining'>,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from nodes where id = any($1) and (cordoned <> coalesce($2, cordoned) or draining <> coalesce($3, draining)) order by id`,
    [[...ids], change.cordoned ?? null, change.draining ?? null],
  );
  return rows.map(({ id }) => id);
}

/** What the nodes hold, and the pools in which no other node is in service while these are out of it. */
export async function hitBy(
  sql: Sql,
  ids: readonly string[],
  { cordoned, draining }: Pick<ServiceChange, 'cordoned' | 'draining'>,
): Promise<Pick<NodesChange, 'liveAttempts' | 'emptiedPools'>> {
  const [hit] = await sql.query<{ live: number; emptied: string[] }>(
    `select (select count(*)::int from attempts where node_id = any($1) and finished_at is null) as live,
       array(select p.name from pools p where $2 and p.removed_at is null
         and exists (select 1 from nodes n where n.pool_id = p.id and n.id = any($1))
         and not exists (select 1 from nodes n where n.pool_id = p.id and n.removed_at is null and n.state = 'online' and not n.cordoned and not n.draining
           and n.id <> all($1))
         order by p.name) as emptied`,
    [[...ids], cordoned === true || draining === true],
  );
  return { liveAttempts: hit!.live, emptiedPools: hit!.emptied };
}
