import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { LOGGER } from '../logging/logger.js';
import { releaseReservations } from '../runs/release-reservations.js';
import { movingTaskRuns, reservationsAccepting } from '../runs/state-lists.js';
import { Settlement } from '../settlement/settlement.js';
import type { PassResult } from './pass-runner.js';

const BATCH = 100;

const standingRuns = `
from runs r where r.finished_at is null and r.created_at < clock_timestamp() - interval '5 seconds'
  and not exists (select 1 from task_runs t where t.run_id = r.id and t.state in ${movingTaskRuns})
  and not exists (select 1 from run_admissions a where a.run_id = r.id and a.ended_at is null and a.admitted_at is null)`;

const orphans = `
from reservations r join attempts a on a.id = r.attempt_id where r.state in ${reservationsAccepting('release')} and a.finished_at is not null`;

const strayHolders = `
from limit_holders h join attempts a on a.id = h.attempt_id where h.freed_at is null and a.finished_at is not null`;

/** Keys that ended runs still hold. */
const strayAdmissions = `
from run_admissions a join runs r on r.id = a.run_id where a.ended_at is null and r.finished_at is not null`;

const held = `
select u.node_id, coalesce(sum(r.cpu_millis), 0)::int as cpu_millis, coalesce(sum(r.memory_mib), 0)::int as memory_mib,
  coalesce(sum(r.disk_mib), 0)::int as disk_mib, coalesce(sum(r.gpu_count), 0)::int as gpu_count, count(r.attempt_id)::int as attempts
from node_usage u left join reservations r on r.node_id = u.node_id and r.state <> 'released' group by u.node_id`;

const miscounted = `
u.node_id = h.node_id
  and (u.cpu_millis, u.memory_mib, u.disk_mib, u.gpu_count, u.attempts) is distinct from (h.cpu_millis, h.memory_mib, h.disk_mib, h.gpu_count, h.attempts)`;

const question = `
with held as (${held})
select exists (select 1 ${standingRuns}) as standing, exists (select 1 ${orphans}) or exists (select 1 ${strayHolders}) as orphaned,
  exists (select 1 ${strayAdmissions}) as admitted,
  exists (select 1 from node_usage u, held h where ${miscounted}) as miscounted`;

interface Findings {
  standing: boolean;
  orphaned: boolean;
  admitted: boolean;
  miscounted: boolean;
}

/** Mends what no transaction should ever leave behind: runs that stand still, reservations and limits held by ended attempts, counters that differ from their rows. */
@Injectable()
export class ReconcilePass {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(): Promise<PassResult> {
    const found = await this.look();
    if (found.standing) await this.advanceStandingRuns();
    if (found.admitted) await inTransaction(this.source, freeKeys);
    const orphans = found.orphaned ? await inTransaction(this.source, releaseOrphans) : 0;
    // Apart: it locks all counters in their order.
    const corrected = found.miscounted || orphans > 0 ? await inTransaction(this.source, recount) : 0;
    if (orphans > 0 || corrected > 0) this.logger.warn({ orphans, corrected }, 'reservations were mended');
    return {};
  }

  /** One question without locks: nearly always the answer is that there is nothing to mend. */
  private async look(): Promise<Findings> {
    const [found] = await sqlOutsideTransaction(this.source).query<Findings>(question);
    return found!;
  }

  /** A run without a task that could still move by itself is evaluated again. */
  private async advanceStandingRuns(): Promise<void> {
    const settled = await inTransaction(this.source, async (sql) => {
      const rows = await sql.query<{ id: string }>(
        `select r.id ${standingRuns} order by r.id limit $1 for no key update of r skip locked`,
        [BATCH],
      );
      if (rows.length === 0) return null;
      this.logger.warn({ runs: rows.map((row) => row.id) }, 'runs stood still and are evaluated again');
      return this.settlement.reevaluate(
        sql,
        rows.map((row) => row.id),
      );
    });
    if (settled) this.settlement.announce(settled);
  }
}

async function releaseOrphans(sql: Sql): Promise<number> {
  const rows = await sql.query<{ attempt_id: string }>(
    `(select r.attempt_id ${orphans} limit $1) union select h.attempt_id ${strayHolders} limit $1`,
    [BATCH],
  );
  await releaseReservations(
    sql,
    rows.map((row) => row.attempt_id),
  );
  return rows.length;
}

async function freeKeys(sql: Sql): Promise<void> {
  await sql.query(`update run_admissions set ended_at = clock_timestamp() where run_id in (select a.run_id ${strayAdmissions} limit $1)`, [
    BATCH,
  ]);
}

/** Counters are caches of the reservation rows. Both are read under the counters' locks, which every writer of reservations takes as well. */
async function recount(sql: Sql): Promise<number> {
  await sql.query('select node_id from node_usage order by node_id for update');
  const rows = await sql.query(
    `with held as (${held})
     update node_usage u set cpu_millis = h.cpu_millis, memory_mib = h.memory_mib, disk_mib = h.disk_mib, gpu_count = h.gpu_count, attempts = h.attempts
     from held h where ${miscounted} returning u.node_id`,
  );
  return rows.length;
}
