import type { ClusterLoad } from '@medley/contracts';
import type { Sql } from '@medley/database';

/** A sample's instant is a multiple of this, so that samples of all nodes, whichever server took them, stand at the same instants. */
export const SAMPLE_SECONDS = 30;
export const KEPT_DAYS = 31;
const DELETED_AT_ONCE = 10_000;

/** Writes down what every node uses and has reserved, once per interval whatever the number of servers; says whether it was this call that did. */
export async function takeSamples(sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    `insert into node_samples (at, node_id, cpu_percent, reserved_percent)
     select date_bin(make_interval(secs => $1), clock_timestamp(), 'epoch'), n.id,
       case when n.state = 'online' then (h.load ->> 'cpuPercent')::real end,
       case when n.cpu_millis > 0 then least(100, 100.0 * coalesce(u.cpu_millis, 0) / n.cpu_millis) else 0 end
     from nodes n left join node_usage u on u.node_id = n.id left join node_heartbeats h on h.node_id = n.id
     where n.removed_at is null order by n.id on conflict do nothing returning 1`,
    [SAMPLE_SECONDS],
  );
  return rows.length > 0;
}

/** Deletes the oldest samples beyond what is kept, a batch at a time; says whether there are more. */
export async function dropOldSamples(sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    `delete from node_samples where (at, node_id) in (
       select at, node_id from node_samples where at < clock_timestamp() - make_interval(days => $1) order by at limit $2) returning 1`,
    [KEPT_DAYS, DELETED_AT_ONCE],
  );
  return rows.length >= DELETED_AT_ONCE;
}

interface SampleRow {
  nodeId: string;
  node: string;
  cpu: (number | null)[];
  reserved: (number | null)[];
  nodeCount: number;
}

/** The samples of the busiest nodes at these instants (milliseconds): one look into the index per instant, however long the range. */
export async function readClusterLoad(
  sql: Sql,
  atMs: readonly number[],
  mostNodes: number,
): Promise<Pick<ClusterLoad, 'nodes' | 'nodeCount'>> {
  const rows = await sql.query<SampleRow & Record<string, unknown>>(
    `with wanted as (select at, place from unnest($1::timestamptz[]) with ordinality as w (at, place)),
     found as (select w.place, s.node_id, s.cpu_percent, s.reserved_percent from wanted w join node_samples s on s.at = w.at),
     ranked as (select node_id, count(*) over () as nodes from found group by node_id
       order by avg(coalesce(cpu_percent, 0)) + avg(reserved_percent) desc, node_id limit $2)
     select r.node_id as "nodeId", n.name as node, r.nodes::int as "nodeCount",
       array_agg(f.cpu_percent::float8 order by w.place) as cpu, array_agg(f.reserved_percent::float8 order by w.place) as reserved
     from ranked r join nodes n on n.id = r.node_id cross join wanted w left join found f on f.place = w.place and f.node_id = r.node_id
     group by r.node_id, n.name, r.nodes order by n.name`,
    [atMs.map((at) => new Date(at)), mostNodes],
  );
  return {
    nodes: rows.map(({ nodeId, node, cpu, reserved }) => ({ nodeId, node, cpuPercent: cpu, reservedPercent: reserved })),
    nodeCount: rows[0]?.nodeCount ?? 0,
  };
}
