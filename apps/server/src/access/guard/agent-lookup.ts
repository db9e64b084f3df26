import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { CallingAgent } from '../caller.js';
import { hashToken } from '../tokens/secrets.js';

const REMEMBER_MS = 5000;
const REMEMBER_AT_MOST = 5000;

/** Finds the node behind an agent's credential. Found ones are remembered for seconds: agents call many times a second. */
@Injectable()
export class AgentLookup {
  private readonly sql: Sql;
  private readonly known = new Map<string, { node: CallingAgent; until: number }>();

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  async byCredential(credential: string): Promise<CallingAgent | null> {
    if (credential.length < 20) return null;
    const hash = hashToken(credential);
    const key = hash.toString('base64');
    const known = this.known.get(key);
    if (known && known.until > performance.now()) return known.node;
    const [node] = await this.sql.query<CallingAgent>(
      'select id, pool_id as "poolId", name from nodes where credential_hash = $1 and removed_at is null',
      [hash],
    );
    this.known.delete(key);
    if (!node) return null;
    if (this.known.size >= REMEMBER_AT_MOST) this.known.clear();
    this.known.set(key, { node, until: performance.now() + REMEMBER_MS });
    return node;
  }

  /** Forgets a node at once, e.g. because it was removed on this server. */
  forget(nodeId: string): void {
    for (const [key, { node }] of this.known) if (node.id === nodeId) this.known.delete(key);
  }
}
