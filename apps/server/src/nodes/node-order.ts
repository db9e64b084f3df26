import type { NodeSort, NodeSortKey } from '@medley/contracts';

/** What a sort key compares, of the tables of `node-rows`; all but the name are numbers. The load of a node that does not answer is a thing of the past. */
const sortExpressions: Readonly<Record<Exclude<NodeSortKey, 'name'>, string>> = {
  performance: `coalesce(n.declared_speed, (n.measured ->> 'allCores')::float8, n.cpu_millis / 1000.0)::float8`,
  load: `(case when n.state = 'online' then coalesce((h.load ->> 'cpuPercent')::float8, -1) else -1 end)`,
  cpu: `(coalesce(u.cpu_millis, 0)::float8 / greatest(n.cpu_millis, 1))`,
  memory: `(coalesce(u.memory_mib, 0)::float8 / greatest(n.memory_mib, 1))`,
  attempts: `coalesce(u.attempts, 0)::float8`,
  since: `extract(epoch from n.state_since)::float8`,
};

export interface NodeOrder {
  /** Column to select beside the others: the position of a row in the order. */
  column: string;
  orderBy: string;
  /** Rows after a position whose two parts are these parameters: the compared value, as text, and the name. */
  after: (value: string, name: string) => string;
}

/** Equal ones stand by name, which no two nodes share. */
export function nodeOrder(sort: NodeSort): NodeOrder {
  const isDescending = sort.startsWith('-');
  const key = (isDescending ? sort.slice(1) : sort) as NodeSortKey;
  const [direction, beyond] = isDescending ? ['desc', '<'] : ['asc', '>'];
  if (key === 'name') {
    return {
      column: `'' as position`,
      orderBy: `n.name ${direction}`,
      after: (value, name) => `${value}::text is not null and n.name ${beyond} ${name}`,
    };
  }
  const expression = sortExpressions[key];
  return {
    column: `${expression}::text as position`,
    orderBy: `${expression} ${direction}, n.name`,
    after: (value, name) => `(${expression} ${beyond} ${value}::float8 or ${expression} = ${value}::float8 and n.name > ${name})`,
  };
}
