import type { NodeCapacity, NodeListItem } from '@medley/contracts';
import { effectivePerformance, measuredPerformance } from '@medley/core';
import { answerRow } from '../rest/answer-row.js';

/** Columns of a node as lists show it, of `nodeTables`. */
export const nodeColumns = `n.id, n.name, n.pool_id as "poolId", p.name as pool, n.state, n.state_since as "stateSince", n.cordoned, n.draining, n.labels, n.os,
  n.arch, n.hostname, n.agent_version as "agentVersion", n.runtimes, n.cpu_millis, n.memory_mib, n.disk_mib, n.gpu_count, u.cpu_millis as used_cpu_millis,
  u.memory_mib as used_memory_mib, u.disk_mib as used_disk_mib, u.gpu_count as used_gpu_count, coalesce(u.attempts, 0) as "liveAttempts",
  n.max_attempts as "maxAttempts", n.declared_speed, n.cpu_limit, n.measured, n.measured_at, n.service_since, n.service_reason, n.service_by, n.drain_attempts,
  h.load, h.received_at as "lastHeartbeatAt", n.created_at as "createdAt"`;

export const nodeTables =
  'nodes n join pools p on p.id = n.pool_id left join node_usage u on u.node_id = n.id left join node_heartbeats h on h.node_id = n.id';

export interface NodeRow {
  id: string;
  name: string;
  cordoned: boolean;
  draining: boolean;
  cpu_millis: number;
  memory_mib: number;
  disk_mib: number;
  gpu_count: number;
  used_cpu_millis: number | null;
  used_memory_mib: number | null;
  used_disk_mib: number | null;
  used_gpu_count: number | null;
  declared_speed: number | null;
  cpu_limit: NodeListItem['performance']['cpuLimit'];
  measured: NodeListItem['performance']['measured'];
  measured_at: Date | null;
  service_since: Date | null;
  service_reason: string | null;
  service_by: string | null;
  drain_attempts: number | null;
}

export type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };

export interface CapacityRow {
  cpu_millis: number;
  memory_mib: number;
  disk_mib: number;
  gpu_count: number;
}

export function capacityOf(row: Nullable<CapacityRow>): NodeCapacity {
  return { cpuMillis: row.cpu_millis ?? 0, memoryMib: row.memory_mib ?? 0, diskMib: row.disk_mib ?? 0, gpuCount: row.gpu_count ?? 0 };
}

export function nodeItemOf(row: NodeRow): NodeListItem {
  const { cpu_millis, memory_mib, disk_mib, gpu_count, used_cpu_millis, used_memory_mib, used_disk_mib, used_gpu_count, ...rest } = row;
  const { declared_speed: declaredSpeed, cpu_limit: cpuLimit, measured, measured_at: measuredAt, ...others } = rest;
  const { service_since, service_reason, service_by, drain_attempts, ...shown } = others;
  const used = { cpu_millis: used_cpu_millis, memory_mib: used_memory_mib, disk_mib: used_disk_mib, gpu_count: used_gpu_count };
  const effective = effectivePerformance({
    declaredSpeed,
    measured: measured && measuredPerformance(measured),
    cpuMillis: cpu_millis ?? 0,
  });
  const service = { since: service_since?.toISOString() ?? null, reason: service_reason, by: service_by, drainAttempts: drain_attempts };
  return {
    ...answerRow<NodeListItem>(shown),
    service: row.cordoned || row.draining ? service : null,
    capacity: capacityOf({ cpu_millis, memory_mib, disk_mib, gpu_count }),
    used: capacityOf(used),
    performance: { measured, measuredAt: measuredAt?.toISOString() ?? null, declaredSpeed, cpuLimit, effective },
  };
}
