import { query } from '../databases/query.js';
import { type WaitOptions, waitFor } from '../waiting/wait-for.js';

export interface StoredNode extends Record<string, unknown> {
  id: string;
  name: string;
  state: 'online' | 'unreachable' | 'offline';
}

/** Nodes as the database has them, by name. */
export function readNodes(databaseUrl: string): Promise<StoredNode[]> {
  return query<StoredNode>(databaseUrl, 'select id, name, state from nodes where removed_at is null order by name');
}

/** Waits until each of these nodes is in the state, and returns them in this order. */
export function untilNodes(
  databaseUrl: string,
  names: readonly string[],
  state: StoredNode['state'] = 'online',
  options: WaitOptions = {},
): Promise<StoredNode[]> {
  let last: StoredNode[] = [];
  const look = async () => {
    last = await readNodes(databaseUrl);
    const found = names.map((name) => last.find((node) => node.name === name && node.state === state));
    return found.every((node) => node !== undefined) ? (found as StoredNode[]) : null;
  };
  const describe = () =>
    `nodes ${names.join(', ')} to be ${state}; there are ${JSON.stringify(last.map((node) => [node.name, node.state]))}`;
  return waitFor(look, { pollMs: 50, describe, ...options });
}

export interface HeldResources {
  /** Reservations that are not released. */
  open: number;
  /** Nodes whose counters are not zero. */
  usedNodes: number;
}

/** What is still reserved anywhere; nothing is, when every attempt has ended. */
export async function readHeldResources(databaseUrl: string): Promise<HeldResources> {
  const [row] = await query<HeldResources & Record<string, unknown>>(
    databaseUrl,
    `select (select count(*)::int from reservations where state <> 'released') as open,
       (select count(*)::int from node_usage where (cpu_millis, memory_mib, disk_mib, gpu_count, attempts) <> (0, 0, 0, 0, 0)) as "usedNodes"`,
  );
  return { open: row!.open, usedNodes: row!.usedNodes };
}
