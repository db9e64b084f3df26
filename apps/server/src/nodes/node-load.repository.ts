import type { NodeLoadHistory, RangeQuery } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';
import { stepSecondsFor, stepsOf } from '../history/time-steps.js';

/** The samples of one node, one per step: a look into the index per instant, however long the range. Throws not-found. */
export async function readNodeLoad(sql: Sql, id: string, { from, to }: RangeQuery): Promise<NodeLoadHistory> {
  const [node] = await sql.query<{ now: Date }>('select clock_timestamp() as now from nodes where id = $1 and removed_at is null', [id]);
  if (!node) throw new AppError('not-found', phrase('no-such-node'));
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const stepSeconds = stepSecondsFor(fromMs, toMs);
  const steps = stepsOf(fromMs, toMs, node.now.getTime(), stepSeconds).map((at) => new Date(at));
  const rows = await sql.query<{ cpu: number | null; reserved: number | null }>(
    `select s.cpu_percent::float8 as cpu, s.reserved_percent::float8 as reserved from unnest($1::timestamptz[]) with ordinality as w (at, place)
     left join node_samples s on s.at = w.at and s.node_id = $2 order by w.place`,
    [steps, id],
  );
  return {
    stepSeconds,
    at: steps.map((at) => at.toISOString()),
    cpuPercent: rows.map(({ cpu }) => cpu),
    reservedPercent: rows.map(({ reserved }) => reserved),
  };
}
