import type { DistributionQuery } from '@medley/contracts';
import { type Sql, uuidv7LowerBound } from '@medley/database';

/** Counts of one node, or (with `nodeId` null) of all that were not among the stored best. `variance` is that of the number placed. */
export interface ShareRow {
  nodeId: string | null;
  node: string | null;
  performance: number | null;
  allPlaced: number;
  compared: number;
  placed: number;
  expected: number;
  variance: number;
  /** Of the compared decisions, those whose selector follows no probability. */
  unmodelled: number;
}

export interface Shares {
  decisions: number;
  unmodelled: number;
  oldestAt: Date | null;
  rows: ShareRow[];
}

type TotalledRow = ShareRow & { decisions: number; oldestAt: Date; allUnmodelled: number } & Record<string, unknown>;

// The turn is looked up for each decision, so that they are read in the order of their ids and no further than needed.
// A decision stores its ten best candidates. With more than ten, the chosen one replaces the tenth when it is not among them, so that only the first nine are there
// whatever was chosen; comparing the tenth as well would count it just when it was chosen.
const sharesStatement = `
with recent as materialized (
  select d.attempt_id, d.decision, t.created_at from placement_decisions d
  cross join lateral (select created_at from placement_turns where id = d.turn_id and pool_id = $1 offset 0) t
  where d.attempt_id >= $2 and d.attempt_id < $3 order by d.attempt_id desc limit $4
), totals as (
  select count(*)::int as decisions, min(created_at) as oldest_at,
    (count(*) filter (where (decision ->> 'candidates')::int > 10 and decision -> 'scores' -> 0 -> 'probability' is null))::int as unmodelled from recent
), chosen as (
  select attempt_id, decision ->> 'chosenNodeId' as node_id, (decision ->> 'candidates')::int as candidates, decision ->> 'selector' as selector, decision -> 'scores' as scores
  from recent
), scores as (
  select c.attempt_id, c.candidates, c.selector, c.node_id as chosen_id, s.value ->> 'nodeId' as node_id, s.place,
    coalesce((s.value ->> 'probability')::float8,
      case when c.candidates <= 10 then (s.value ->> 'weight')::float8 / nullif(sum((s.value ->> 'weight')::float8) over (partition by c.attempt_id), 0) end) as chance
  from chosen c cross join lateral jsonb_array_elements(c.scores) with ordinality as s (value, place)
), known as (
  select * from scores where chance is not null and (candidates <= 10 or place <= 9)
), of_nodes as (
  select node_id, count(*)::int as compared, (count(*) filter (where chosen_id = node_id))::int as placed, sum(chance) as expected, sum(chance * (1 - chance)) as variance,
    (count(*) filter (where selector = 'earliest-finish'))::int as unmodelled
  from known group by node_id
), of_rest as (
  select attempt_id, 1 - sum(chance) as chance, bool_and(chosen_id <> node_id) as is_chosen from known where candidates > 10 group by attempt_id
), placed as (
  select node_id, count(*)::int as all_placed from chosen group by node_id
)
select s.*, t.decisions, t.oldest_at as "oldestAt", t.unmodelled as "allUnmodelled" from totals t cross join (
  select coalesce(p.node_id, o.node_id)::uuid as "nodeId", n.name as node,
    coalesce(n.declared_speed, (n.measured ->> 'allCores')::float8, n.cpu_millis / 1000.0)::float8 as performance, coalesce(p.all_placed, 0) as "allPlaced",
    coalesce(o.compared, 0) as compared, coalesce(o.placed, 0) as placed, coalesce(o.expected, 0) as expected, coalesce(o.variance, 0) as variance,
    coalesce(o.unmodelled, 0) as unmodelled
  from placed p full join of_nodes o on o.node_id = p.node_id left join nodes n on n.id = coalesce(p.node_id, o.node_id)::uuid
  union all
  select null, null, null, (count(*) filter (where is_chosen))::int, count(*)::int, (count(*) filter (where is_chosen))::int,
    coalesce(sum(greatest(chance, 0)), 0), coalesce(sum(greatest(chance, 0) * (1 - greatest(chance, 0))), 0), 0 from of_rest having count(*) > 0
) s order by s.node nulls last`;

/** Counts the newest `most` decisions of a pool in a range, from what was stored with each. */
export async function readShares(sql: Sql, poolId: string, { from, to }: DistributionQuery, most: number): Promise<Shares> {
  const values = [poolId, uuidv7LowerBound(Date.parse(from)), uuidv7LowerBound(Date.parse(to)), most];
  const rows = await sql.query<TotalledRow>(sharesStatement, values);
  const [first] = rows;
  return { decisions: first?.decisions ?? 0, unmodelled: first?.allUnmodelled ?? 0, oldestAt: first?.oldestAt ?? null, rows };
}
