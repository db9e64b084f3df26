import { AGENT_PROTOCOL, agreeOnProtocol, type JoinAnswer, type JoinRequest, type NodeCapacity, type NodeFacts } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { generateToken, hashToken } from '../access/tokens/secrets.js';
import { WakeBus } from '../wake/wake-bus.js';

interface TokenRow {
  id: string;
  pool_id: string;
  pool: string;
  labels: Record<string, string>;
  declared_speed: number | null;
  capacity_cap: Partial<NodeCapacity> | null;
}

/** Registers machines. Pool, labels, capacity caps and declared speed are the join token's; the agent only says what its machine is. */
@Injectable()
export class JoinService {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  async join(request: JoinRequest): Promise<JoinAnswer> {
    const protocol = requireProtocol(request.facts);
    const credential = generateToken('medley_node');
    const answer = await inTransaction(this.source, async (sql) => {
      const token = await useToken(sql, request.token);
      const nodeId = await registerNode(sql, request, token, protocol, hashToken(credential));
      return { nodeId, name: request.name, pool: token.pool, credential };
    });
    this.wakeBus.changed([{ entity: 'node', id: answer.nodeId }]);
    return answer;
  }
}

/** The protocol version to speak with this agent; refuses agents that are too old or too new. */
export function requireProtocol(facts: NodeFacts): number {
  const protocol = agreeOnProtocol(AGENT_PROTOCOL, facts.protocol);
  if (protocol === null) {
    const ours = `${AGENT_PROTOCOL.min} to ${AGENT_PROTOCOL.max}`;
    throw new AppError(
      'protocol-unsupported',
      `This server speaks agent protocol ${ours}, the agent ${facts.protocol.min} to ${facts.protocol.max}. Install an agent of the server's version.`,
    );
  }
  return protocol;
}

/** What the machine has, cut to what its operator allows. */
export function capped(capacity: NodeCapacity, cap: Partial<NodeCapacity> | null): NodeCapacity {
  const least = (name: keyof NodeCapacity) => Math.min(capacity[name], cap?.[name] ?? capacity[name]);
  return { cpuMillis: least('cpuMillis'), memoryMib: least('memoryMib'), diskMib: least('diskMib'), gpuCount: least('gpuCount') };
}

async function useToken(sql: Sql, token: string): Promise<TokenRow> {
  const [row] = await sql.query<TokenRow>(
    `update join_tokens j set uses = uses + 1 from pools p
     where j.token_hash = $1 and p.id = j.pool_id and j.revoked_at is null and j.expires_at > clock_timestamp() and j.uses < j.max_uses
     returning j.id, j.pool_id, p.name as pool, j.labels, j.declared_speed, j.capacity_cap`,
    [hashToken(token)],
  );
  if (!row) throw new AppError('join-token-invalid', phrase('join-token-used-up'));
  return row;
}

async function registerNode(sql: Sql, request: JoinRequest, token: TokenRow, protocol: number, credentialHash: Buffer): Promise<string> {
  const { facts } = request;
  const capacity = capped(facts.capacity, token.capacity_cap);
  const [row] = await sql.query<{ id: string }>(
    `insert into nodes as n (id, pool_id, name, credential_hash, labels, os, arch, hostname, agent_version, protocol, runtimes, cpu_millis, memory_mib, disk_mib,
       gpu_count, capacity_cap, declared_speed, state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 'offline')
     on conflict (name) do update set pool_id = excluded.pool_id, credential_hash = excluded.credential_hash, labels = excluded.labels,
       capacity_cap = excluded.capacity_cap, declared_speed = excluded.declared_speed, removed_at = null, cordoned = false, draining = false
     where n.state = 'offline' or n.removed_at is not null
     returning n.id`,
    [
      uuidv7(),
      token.pool_id,
      request.name,
      credentialHash,
      JSON.stringify(token.labels),
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
      token.capacity_cap && JSON.stringify(token.capacity_cap),
      token.declared_speed,
    ],
  );
  if (!row) throw new AppError('name-taken', phrase('node-name-taken', { name: request.name }));
  await sql.query('insert into node_usage (node_id) values ($1) on conflict do nothing', [row.id]);
  return row.id;
}
