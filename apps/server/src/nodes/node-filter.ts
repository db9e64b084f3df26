import type { NodeFilter } from '@medley/contracts';
import { matchesLabels, nodeLabels, parseLabelExpression } from '@medley/core';
import type { Sql } from '@medley/database';

/** A condition on the row `n` of nodes, for a `where`, whose parameters begin after those of `values`. */
export interface NodeCondition {
  text: string;
  values: unknown[];
}

const serviceConditions = {
  open: 'not n.cordoned and not n.draining',
  cordoned: 'n.cordoned',
  draining: 'n.draining',
} as const;

/** What a filter means in SQL; `values` are the parameters that the statement has already. */
export async function nodeCondition(sql: Sql, filter: NodeFilter, values: readonly unknown[] = []): Promise<NodeCondition> {
  const all = [...values];
  const parameter = (value: unknown) => `$${all.push(value)}`;
  const parts = ['n.removed_at is null'];
  if (filter.poolId) parts.push(`n.pool_id = ${parameter(filter.poolId)}`);
  if (filter.state) parts.push(`n.state = ${parameter(filter.state)}`);
  if (filter.service) parts.push(serviceConditions[filter.service]);
  const search = filter.search?.trim().toLowerCase();
  if (search) {
    const text = parameter(search);
    parts.push(`(strpos(lower(n.name), ${text}) > 0 or strpos(lower(n.hostname), ${text}) > 0)`);
  }
  if (filter.labels?.trim()) parts.push(`n.id = any(${parameter(await idsByLabels(sql, filter.labels, filter))}::uuid[])`);
  return { text: parts.join(' and '), values: all };
}

/** Matched by the same code as in placement, so that the list holds what a task with this expression could be placed on. */
async function idsByLabels(sql: Sql, expression: string, { labels: _, ...others }: NodeFilter): Promise<string[]> {
  const parsed = parseLabelExpression(expression);
  if (!parsed.ok) return [];
  const { text, values } = await nodeCondition(sql, others);
  const rows = await sql.query<{ id: string; name: string; platform: string; labels: Record<string, string> }>(
    `select n.id, n.name, n.os as platform, n.labels from nodes n where ${text}`,
    values,
  );
  return rows.filter((row) => matchesLabels(parsed.expression, nodeLabels(row))).map(({ id }) => id);
}
