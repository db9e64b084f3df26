import { phrase } from '@medley/core';
import { inTransaction, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ServerConfig } from '../config.js';
import { LOGGER } from '../logging/logger.js';
import { Settlement } from '../settlement/settlement.js';
import { type AttemptEnding, toldBy } from '../settlement/settlement.types.js';
import { WakeBus } from '../wake/wake-bus.js';
import { LeasePatience } from './lease-patience.js';
import type { PassResult } from './pass-runner.js';

const BATCH = 500;
/** A prefetched attempt that is not claimed is taken back by the relay instead of being lost: nothing of it ever reached the node. */
const holdsNode = 'a.finished_at is null and not (a.prefetched and a.next_send_at is not null)';

interface SilentNode {
  id: string;
  name: string;
  registered: number;
  now: Date;
}

interface Findings {
  unreachable: boolean;
  silent: boolean;
  stranded: boolean;
  overdue: boolean;
}

/**
 * Notices what went silent: nodes become unreachable, then offline with their attempts lost; attempts beyond their timeout are ordered to stop. After an outage
 * of its own or of the database it first grants every node a full lease.
 */
@Injectable()
export class ReapPass {
  private readonly outageSeconds: number;
  private readonly patience: LeasePatience;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(ServerConfig) private readonly config: ServerConfig,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.outageSeconds = Math.max(2 * config.heartbeatSeconds, config.leaseSeconds / 4);
    this.patience = new LeasePatience(config.leaseSeconds, this.outageSeconds);
  }

  async run(): Promise<PassResult> {
    if (this.patience.passBegins(nowSeconds())) {
      this.logger.warn(
        { leaseSeconds: this.config.leaseSeconds },
        'the server was away: every node gets a full lease before its attempts are given up',
      );
    }
    const found = await this.look();
    if (found.unreachable) await this.markUnreachable();
    const lost = this.patience.trusts(nowSeconds()) ? await this.fenceOff(found) : 0;
    if (found.overdue) await this.stopOverdueAttempts();
    this.patience.passEnds(nowSeconds());
    return { again: lost >= BATCH };
  }

  /** One cheap question per pass: nearly always the answer is that there is nothing to do. */
  private async look(): Promise<Findings> {
    const [found] = await sqlOutsideTransaction(this.source).query<Findings>(
      `select
         exists (select 1 from nodes n join node_heartbeats h on h.node_id = n.id where n.state = 'online' and n.removed_at is null
           and h.received_at < clock_timestamp() - make_interval(secs => $1)) as unreachable,
         exists (select 1 from nodes n join node_heartbeats h on h.node_id = n.id where n.state <> 'offline' and n.removed_at is null
           and h.received_at < clock_timestamp() - make_interval(secs => $2)) as silent,
         exists (select 1 from nodes n join attempts a on a.node_id = n.id and ${holdsNode} where n.state = 'offline') as stranded,
         exists (select 1 from attempts where finished_at is null and state = 'running' and deadline_at < clock_timestamp()) as overdue`,
      [this.config.unreachableSeconds, this.config.leaseSeconds],
    );
    return found!;
  }

  private async fenceOff({ silent, stranded }: Findings): Promise<number> {
    if (silent) return this.fenceOffSilentNodes();
    this.patience.judgeMassLoss(0, 0, nowSeconds());
    return stranded ? this.loseAttempts() : 0;
  }

  private async markUnreachable(): Promise<void> {
    const rows = await sqlOutsideTransaction(this.source).query<{ id: string; name: string }>(
      `update nodes n set state = 'unreachable', state_since = clock_timestamp() from node_heartbeats h
       where h.node_id = n.id and n.state = 'online' and n.removed_at is null and h.received_at < clock_timestamp() - make_interval(secs => $1)
       returning n.id, n.name`,
      [this.config.unreachableSeconds],
    );
    if (rows.length === 0) return;
    this.logger.warn({ nodes: rows.map((row) => row.name) }, 'nodes are silent and get no new work');
    this.wakeBus.changed(rows.map(({ id }) => ({ entity: 'node', id })));
    this.wakeBus.place();
  }

  /** Marks nodes offline and loses their attempts, unless so many went silent together that the network or this server is the likelier cause. */
  private async fenceOffSilentNodes(): Promise<number> {
    const silent = await sqlOutsideTransaction(this.source).query<SilentNode>(
      `select n.id, n.name, (select count(*)::int from nodes where removed_at is null and state <> 'offline') as registered, clock_timestamp() as now
       from nodes n join node_heartbeats h on h.node_id = n.id
       where n.state <> 'offline' and n.removed_at is null and h.received_at < clock_timestamp() - make_interval(secs => $1) order by n.id`,
      [this.config.leaseSeconds],
    );
    if (!this.patience.trusts(nowSeconds())) return 0;
    const verdict = this.patience.judgeMassLoss(silent.length, silent[0]?.registered ?? 0, nowSeconds());
    if (verdict === 'hold-begins') {
      this.logger.error(
        { silent: silent.map((node) => node.name), registered: silent[0]!.registered },
        'more than 30 % of the nodes went silent together; their attempts are kept for one more lease. Check the network between agents and server',
      );
    }
    if (verdict !== 'proceed') return 0;
    if (silent.length > 0) await this.markOffline(silent);
    return this.loseAttempts();
  }

  /** Refused by the database when this process was frozen since it looked: nobody could have heard the nodes meanwhile. */
  private async markOffline(silent: readonly SilentNode[]): Promise<void> {
    const rows = await sqlOutsideTransaction(this.source).query<{ id: string; name: string }>(
      `update nodes n set state = 'offline', state_since = clock_timestamp() from node_heartbeats h
       where n.id = any($1) and h.node_id = n.id and h.received_at < clock_timestamp() - make_interval(secs => $2)
         and clock_timestamp() < $3::timestamptz + make_interval(secs => $4)
       returning n.id, n.name`,
      [silent.map(({ id }) => id), this.config.leaseSeconds, silent[0]!.now, this.outageSeconds],
    );
    this.logger.warn({ nodes: rows.map((node) => node.name) }, 'nodes are fenced off; their attempts are lost and retried elsewhere');
    this.wakeBus.changed(rows.map(({ id }) => ({ entity: 'node', id })));
  }

  /** Every attempt of an offline node ends as lost; also those that a crash between marking and losing left behind. */
  private async loseAttempts(): Promise<number> {
    const told = toldBy(phrase('node-silent-for-lease', { seconds: this.config.leaseSeconds }));
    const settled = await inTransaction(this.source, async (sql) => {
      const rows = await sql.query<{ id: string }>(
        `select a.id from nodes n join attempts a on a.node_id = n.id and ${holdsNode} where n.state = 'offline' order by a.id limit $1`,
        [BATCH],
      );
      if (rows.length === 0) return null;
      const endings = rows.map(
        ({ id }): AttemptEnding => ({ attemptId: id, outcome: 'lost', exitCode: null, signal: null, ...told, runSeconds: null }),
      );
      return this.settlement.endAttempts(sql, endings);
    });
    if (settled) this.settlement.announce(settled);
    return settled?.attempts.length ?? 0;
  }

  /** The agent enforces timeouts; an attempt far beyond its own is ordered to stop from here. */
  private async stopOverdueAttempts(): Promise<void> {
    const rows = await sqlOutsideTransaction(this.source).query<{ node_id: string; id: string; run_id: string }>(
      `with overdue as (
         select id from attempts where finished_at is null and state = 'running' and deadline_at < clock_timestamp() order by id limit $1 for update skip locked
       ), stopped as (
         update attempts a set state = 'stopping', stopping_at = clock_timestamp(), stop_reason = 'timed_out' from overdue o where a.id = o.id
         returning a.id, a.node_id, a.run_id
       ), releasing as (
         update reservations r set state = 'releasing' from stopped s where r.attempt_id = s.id and r.state = 'held'
       )
       select * from stopped`,
      [BATCH],
    );
    for (const row of rows) this.wakeBus.work(row.node_id);
    this.wakeBus.changed(rows.map((row) => ({ entity: 'attempt', id: row.id, runId: row.run_id })));
  }
}

function nowSeconds(): number {
  return performance.now() / 1000;
}
