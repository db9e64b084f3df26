import type { HeartbeatAnswer, HeartbeatRequest, NodeCapacity, SessionAnswer, SessionRequest } from '@medley/contracts';
import { type Phrase, phrase } from '@medley/core';
import { inTransaction, type Sql } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ServerConfig } from '../config.js';
import { NodeQueues } from '../dispatch-queue/node-queues.js';
import { Settlement } from '../settlement/settlement.js';
import { type AttemptEnding, toldBy } from '../settlement/settlement.types.js';
import { WakeBus } from '../wake/wake-bus.js';
import { openFileLooks } from '../watches/file-answers.js';
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
    const { at, declaredSpeed, capacity, comparison } = await inTransaction(this.source, async (sql) => {
      const stored = await storeFacts(sql, nodeId, request, protocol);
      const [contact] = await sql.query<{ at: string; boot_at: string }>(beginContact, [nodeId, request.bootId]);
      const claimedBefore = request.lastAnswerAt ?? contact!.boot_at;
      return { at: contact!.at, ...stored, comparison: await compareLive(sql, nodeId, request.live, claimedBefore) };
    });
    await this.lose(comparison.missing, phrase('agent-restarted'));
    this.announceOnline(nodeId);
    return {
      nodeId,
      protocol,
      leaseSeconds: this.config.leaseSeconds,
      heartbeatSeconds: this.config.heartbeatSeconds,
      declaredSpeed,
      capacity,
      queue,
      at,
      stops: comparison.stops,
    };
  }

  async heartbeat(nodeId: string, request: HeartbeatRequest): Promise<HeartbeatAnswer> {
    const beat = await inTransaction(this.source, async (sql) => {
      const [row] = await sql.query<{ at: string }>(
        `update node_heartbeats set received_at = clock_timestamp(), load = $3 where node_id = $1 and boot_id = $2
         returning received_at::text as at`,
        [nodeId, request.bootId, JSON.stringify(request.load)],
      );
      if (!row) return null;
      if (request.performance) await storePerformance(sql, nodeId, request.performance);
      const revived = await sql.query(
        `update nodes set state = 'online', state_since = clock_timestamp() where id = $1 and state <> 'online' and removed_at is null returning id`,
        [nodeId],
      );
      return {
        revived: revived.length > 0,
        comparison: await compareLive(sql, nodeId, request.live, request.lastAnswerAt ?? null),
        at: row.at,
        looks: await openFileLooks(sql, nodeId),
      };
    });
    const intervals = { leaseSeconds: this.config.leaseSeconds, heartbeatSeconds: this.config.heartbeatSeconds };
    if (!beat) return { session: 'renew', at: '', ...intervals, stops: [] };
    await this.lose(beat.comparison.missing, phrase('agent-forgot'));
    if (beat.revived) this.announceOnline(nodeId);
    else this.wakeBus.changed([{ entity: 'node', id: nodeId }]);
    const queueIsBack = request.hasQueue === false && this.queues.usable;
    return { session: queueIsBack ? 'renew' : 'ok', at: beat.at, ...intervals, stops: beat.comparison.stops, looks: beat.looks };
  }

  private async lose(attemptIds: readonly string[], why: Phrase): Promise<void> {
    if (attemptIds.length === 0) return;
    const endings = attemptIds.map(
      (attemptId): AttemptEnding => ({ attemptId, outcome: 'lost', exitCode: null, signal: null, ...toldBy(why), runSeconds: null }),
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

/** `boot_at` is the first contact with this boot of the agent: what was claimed earlier was claimed by a process that is gone. */
const beginContact = `
insert into node_heartbeats as h (node_id, boot_id, boot_at, received_at) values ($1, $2, clock_timestamp(), clock_timestamp())
on conflict (node_id) do update set boot_id = excluded.boot_id, received_at = excluded.received_at,
  boot_at = case when h.boot_id = excluded.boot_id then h.boot_at else excluded.boot_at end
returning received_at::text as at, boot_at::text as boot_at`;

async function storeFacts(
  sql: Sql,
  nodeId: string,
  { facts, performance }: SessionRequest,
  protocol: number,
): Promise<{ declaredSpeed: number | null; capacity: NodeCapacity }> {
  const [node] = await sql.query<{ capacity_cap: Parameters<typeof capped>[1]; declared_speed: number | null }>(
    'select capacity_cap, declared_speed from nodes where id = $1 for no key update',
    [nodeId],
  );
  const capacity = capped(facts.capacity, node!.capacity_cap);
  await sql.query(
    `update nodes set os = $2, arch = $3, hostname = $4, agent_version = $5, protocol = $6, runtimes = $7, cpu_millis = $8, memory_mib = $9, disk_mib = $10,
       gpu_count = $11, cpu_limit = $12, state = 'online', state_since = case when state = 'online' then state_since else clock_timestamp() end where id = $1`,
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
      facts.cpuLimit ? JSON.stringify(facts.cpuLimit) : null,
    ],
  );
  if (performance) await storePerformance(sql, nodeId, performance);
  return { declaredSpeed: node!.declared_speed, capacity };
}

async function storePerformance(sql: Sql, nodeId: string, performance: NonNullable<SessionRequest['performance']>): Promise<void> {
  await sql.query(`update nodes set measured = $2, measured_at = clock_timestamp() where id = $1 and measured is distinct from $2::jsonb`, [
    nodeId,
    JSON.stringify(performance),
  ]);
}
