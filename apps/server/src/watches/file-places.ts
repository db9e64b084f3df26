import { type ForeignPhrase, matchesLabels, nodeLabels, parseLabelExpression } from '@medley/core';
import type { Sql } from '@medley/database';
import type { FileQuestion, FileWatch } from './file-watch.js';

/** A node that a file is waited for on, and what it answered last, if anything. */
export interface FilePlace {
  nodeId: string;
  node: string;
  isOnline: boolean;
  protocol: number;
  lastHeardAt: Date;
  found: ForeignPhrase | null;
}

interface NodeRow extends Omit<FilePlace, 'found'> {
  pool: string;
  labels: Record<string, string>;
  platform: string;
}

/** For each watch, the nodes that its file may be on, by name. */
export async function readPlaces(sql: Sql, watches: readonly FileWatch[]): Promise<Map<string, FilePlace[]>> {
  const nodes = await readNodes(sql, watches);
  const answers = await sql.query<{ watchId: string; nodeId: string; found: ForeignPhrase | null }>(
    'select watch_id as "watchId", node_id as "nodeId", found from node_looks where watch_id = any($1)',
    [watches.map(({ id }) => id)],
  );
  const found = new Map(answers.map((each) => [`${each.watchId} ${each.nodeId}`, each.found]));
  return new Map(
    watches.map(({ id, question }) => [
      id,
      nodes.filter(placedBy(question)).map((node) => ({ ...node, found: found.get(`${id} ${node.nodeId}`) ?? null })),
    ]),
  );
}

function readNodes(sql: Sql, watches: readonly FileWatch[]): Promise<NodeRow[]> {
  const names = watches.flatMap(({ question }) => ('node' in question ? [question.node] : []));
  const pools = watches.flatMap(({ question }) => ('node' in question ? [] : [question.pool]));
  return sql.query<NodeRow & object>(
    `select n.id as "nodeId", n.name as node, n.state = 'online' as "isOnline", n.protocol, coalesce(h.received_at, n.state_since) as "lastHeardAt", p.name as pool,
       n.labels, n.os as platform
     from nodes n join pools p on p.id = n.pool_id left join node_heartbeats h on h.node_id = n.id
     where n.removed_at is null and (n.name = any($1) or p.name = any($2)) order by n.name`,
    [names, pools],
  );
}

function placedBy(question: FileQuestion): (node: NodeRow) => boolean {
  if ('node' in question) return ({ node }) => node === question.node;
  const parsed = parseLabelExpression(question.labels);
  return ({ node, pool, labels, platform }) =>
    pool === question.pool && parsed.ok && matchesLabels(parsed.expression, nodeLabels({ name: node, platform, labels } as never));
}
