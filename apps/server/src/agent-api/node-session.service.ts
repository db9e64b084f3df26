import type { HeartbeatAnswer, HeartbeatRequest, SessionAnswer, SessionRequest } from '@medley/contracts';
import { inTransaction, type Sql } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ServerConfig } from '../config.js';
import { NodeQueues } from '../dispatch-queue/node-queues.js';
import { Settlement } from '../settlement/settlement.js';
import type { AttemptEnding } from '../settlement/settlement.types.js';
import { WakeBus } from '../wake/wake-bus.js';
import { capped, requireProtocol } from './join.service.js';
import { compareLive } from './live-attempts.js';

/** Sessions and heartbeats: what a node is, that it lives, and which attempts both sides believe in. */
@Injectable()
export class NodeSessionService {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(ServerConfig) private readonly config: ServerConfig,
    @Inject(NodeQueues) private readonly queues: NodeQueues,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  /**
   * A (re)started agent tells what it adopted; whatever else it had claimed is lost at once. One that only renews its session may have claims under way, so
   * for it the list counts from its last heartbeat.
   */
  async open(nodeId: string, request: SessionRequest): Promise<SessionAnswer> {
    const protocol = requireProtocol(request.facts);
    const queue = await this.queues.accessFor(nodeId);
    const { declaredSpeed, comparison } = await inTransaction(this.source, async (sql) => {
      const speed = await storeFacts(sql, nodeId, request, protocol);
      const claimedBefore = await lastContact(sql, nodeId, request.bootId);
      await sql.query(
        `insert into node_heartbeats (node_id, boot_id, received_at) values ($1, $2, clock_timestamp())
         on conflict (node_id) do update set boot_id = excluded.boot_id, received_at = excluded.received_at, previous_received_at = null`,
        [nodeId, request.bootId],
      );
      return { declaredSpeed: speed, comparison: await compareLive(sql, nodeId, request.live, claimedBefore) };
    });
    await this.lose(comparison.missing, 'its agent was restarted and does not know it any more');
    this.announceOnline(nodeId);
    return {
      nodeId,
      protocol,
      leaseSeconds: this.config.leaseSeconds,
      heartbeatSeconds: this.config.heartbeatSeconds,
      declaredSpeed,
      queue,
      stops: comparison.stops,
    };
  }

  async heartbeat(nodeId: string, request: HeartbeatRequest): Promise<HeartbeatAnswer> {
    const beat = await inTransaction(this.source, async (sql) => {
      const [row] = await sql.query<{ previous: Date | null }>(
        `update node_heartbeats set previous_received_at = received_at, received_at = clock_timestamp(), load = $3 where node_id = $1 and boot_id = $2
         returning previous_received_at as previous`,
        [nodeId, request.bootId, JSON.stringify(request.load)],
      );
      if (!row) return null;
      if (request.performance) await storePerformance(sql, nodeId, request.performance);
      const revived = await sql.query(
        `update nodes set state = 'online', state_since = clock_timestamp() where id = $1 and state <> 'online' and removed_at is null returning id`,
        [nodeId],
      );
      return { revived: revived.length > 0, comparison: await compareLive(sql, nodeId, request.live, row.previous) };
    });
    const intervals = { leaseSeconds: this.config.leaseSeconds, heartbeatSeconds: this.config.heartbeatSeconds };
    if (!beat) return { session: 'renew', ...intervals, stops: [] };
    await this.lose(beat.comparison.missing, 'its agent does not know it any more');
    if (beat.revived) this.announceOnline(nodeId);
    else this.wakeBus.changed([{ entity: 'node', id: nodeId }]);
    const queueIsBack = request.hasQueue === false && this.queues.usable;
    return { session: queueIsBack ? 'renew' : 'ok', ...intervals, stops: beat.comparison.stops };
  }

  private async lose(attemptIds: readonly string[], detail: string): Promise<void> {
    if (attemptIds.length === 0) return;
    const endings = attemptIds.map(
      (attemptId): AttemptEnding => ({ attemptId, outcome: 'lost', exitCode: null, signal: null, detail, runSeconds: null }),
    );
    const settled = await inTransaction(this.source, (sql) => this.settlement.endAttempts(sql, endings));
    this.settlement.announce(settled);
  }

  private announceOnline(nodeId: string): void {
    this.wakeBus.place();
    this.wakeBus.work(nodeId);
    this.wakeBus.changed([{ entity: 'node', id: nodeId }]);
  }
}

/** The last contact with this boot of the agent, or now when it has started since. */
async function lastContact(sql: Sql, nodeId: string, bootId: string): Promise<Date> {
  const [row] = await sql.query<{ at: Date }>(
    'select coalesce((select received_at from node_heartbeats where node_id = $1 and boot_id = $2), clock_timestamp()) as at',
    [nodeId, bootId],
  );
  return row!.at;
}

async function storeFacts(sql: Sql, nodeId: string, { facts, performance }: SessionRequest, protocol: number): Promise<number | null> {
  const [node] = await sql.query<{ capacity_cap: Parameters<typeof capped>[1]; declared_speed: number | null }>(
    'select capacity_cap, declared_speed from nodes where id = $1 for update',
    [nodeId],
  );
  const capacity = capped(facts.capacity, node!.capacity_cap);
  await sql.query(
    `update nodes set os = $2, arch = $3, hostname = $4, agent_version = $5, protocol = $6, runtimes = $7, cpu_millis = $8, memory_mib = $9, disk_mib = $10,
       gpu_count = $11, state = 'online', state_since = case when state = 'online' then state_since else clock_timestamp() end where id = $1`,
    [
      nodeId,
      facts.os,
      facts.arch,
      facts.hostname,
      facts.agentVersion,
      protocol,
      facts.runtimes,
      capacity.cpuMillis,
      capacity.memoryMib,
      capacity.diskMib,
      capacity.gpuCount,
    ],
  );
  if (performance) await storePerformance(sql, nodeId, performance);
  return node!.declared_speed;
}

async function storePerformance(sql: Sql, nodeId: string, performance: NonNullable<SessionRequest['performance']>): Promise<void> {
  await sql.query(`update nodes set measured = $2, measured_at = clock_timestamp() where id = $1 and measured is distinct from $2::jsonb`, [
    nodeId,
    JSON.stringify(performance),
  ]);
}
