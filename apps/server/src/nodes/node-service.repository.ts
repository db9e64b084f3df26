import type { NodesChange } from '@medley/contracts';
import type { Sql } from '@medley/database';
import type { ChangedThing } from '../audit/record-changes.js';

/** What an operator tells nodes: only what is given changes. */
export interface ServiceChange {
  cordoned?: boolean | undefined;
  draining?: boolean | undefined;
  reason?: string | undefined;
  /** Who does it, by name. */
  by: string;
}

/** A node that was told to be in or out of service, with what held before. */
export interface ServicedNode {
  id: string;
  name: string;
  before: Service;
  after: Service;
}

interface Service {
  cordoned: boolean;
  draining: boolean;
}

export function isChanged({ before, after }: ServicedNode): boolean {
  return before.cordoned !== after.cordoned || before.draining !== after.draining;
}

/** As the audit tells it: what differs only. */
export function toldOf({ id, name, before, after }: ServicedNode): ChangedThing {
  const differing = (['cordoned', 'draining'] as const).filter((key) => before[key] !== after[key]);
  const of = (service: Service) => Object.fromEntries(differing.map((key) => [key, service[key]]));
  return { id, name, projectId: null, before: of(before), after: of(after) };
}

/**
 * Takes nodes out of service or back, with the reason and the moment, and counts what a drain begins with. A node that is told nothing new keeps both. Returns
 * those that are there, in order of their ids, with what they were told before.
 */
export async function changeService(
  sql: Sql,
  ids: readonly string[],
  { cordoned, draining, reason, by }: ServiceChange,
): Promise<ServicedNode[]> {
  return await sql.query<ServicedNode>(
    `with told as (
       select id, name, cordoned as was_cordoned, draining as was_draining, coalesce($2, cordoned) as cordoned, coalesce($3, draining) as draining
       from nodes where id = any($1) and removed_at is null order by id for no key update
     ), judged as (
       select *, cordoned or draining as is_out, (cordoned, draining) is distinct from (was_cordoned, was_draining) as is_new from told
     )
     update nodes n set cordoned = j.cordoned, draining = j.draining,
       service_since = case when not j.is_out then null when j.is_new then clock_timestamp() else n.service_since end,
       service_reason = case when not j.is_out then null when $4::text is not null then nullif($4, '') when j.is_new then null else n.service_reason end,
       service_by = case when not j.is_out then null when j.is_new or $4::text is not null then $5 else n.service_by end,
       drain_attempts = case when not j.draining then null when j.was_draining then n.drain_attempts
         else (select count(*)::int from attempts a where a.node_id = n.id and a.finished_at is null) end
     from judged j where n.id = j.id returning n.id, n.name, jsonb_build_object('cordoned', j.was_cordoned, 'draining', j.was_draining) as before,
       jsonb_build_object('cordoned', j.cordoned, 'draining', j.draining) as after`,
    [[...ids], cordoned ?? null, draining ?? null, reason ?? null, by],
  );
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
