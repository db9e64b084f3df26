import type { KnownFire, RunState } from '@medley/core';
import type { Sql } from '@medley/database';

/** A fire with what is known of its runs. */
export interface StoredFire extends KnownFire {
  succeeded: boolean;
  /** The newest run of it. */
  runId: string;
  runState: RunState;
}

interface FireRow extends StoredFire {
  fireAt: Date;
}

const columns = 'id, state, fire_at, task_count, finished_at';

// Two parts, since each is read from an index of its own. A run without tasks never began: it tells why it could not.
const statement = `
select fire_at as "fireAt", bool_or(task_count > 0) as begun, bool_or(state = 'succeeded') as succeeded,
  bool_or(state = 'succeeded' or finished_at is null) as hopeful,
  (array_agg(id order by id desc))[1] as "runId", (array_agg(state order by id desc))[1] as "runState"
from (
  select ${columns} from runs where schedule_id = $1 and trigger = 'schedule' and fire_at between $2 and $3
  union all select ${columns} from runs where schedule_id = $1 and trigger in ('backfill', 'rerun') and fire_at between $2 and $3
) r group by fire_at`;

/** Fires of a schedule between two instants, both included, that have a run: its own, of a backfill, or a rerun of either. By their instants. */
export async function readKnownFires(sql: Sql, scheduleId: string, fromMs: number, toMs: number): Promise<Map<number, StoredFire>> {
  const rows = await sql.query<FireRow>(statement, [scheduleId, new Date(fromMs), new Date(toMs)]);
  return new Map(rows.map(({ fireAt, ...fire }) => [fireAt.getTime(), fire]));
}
