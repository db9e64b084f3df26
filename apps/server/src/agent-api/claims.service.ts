import { type AttemptWork, type Claim, type ClaimResult, FILES_PROTOCOL, SECRETS_PROTOCOL } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { openSecrets } from '../secrets/read-secrets.js';
import { SecretKeys } from '../secrets/secret-keys.js';
import { Settlement } from '../settlement/settlement.js';
import type { AttemptEnding } from '../settlement/settlement.types.js';
import { namesOf } from '../settlement/task-names.js';
import { WakeBus } from '../wake/wake-bus.js';
import { workingFilesOf } from '../working-files/working-files-of.js';
import { workOf } from './attempt-work.js';
import { Batcher } from './batcher.js';
import { claimKey, type GrantedRow, grantClaims } from './grant-claims.js';
import { readClaimValues } from './read-claim-values.js';

const MAX_BATCH = 500;

interface NodeClaims {
  nodeId: string;
  claims: readonly Claim[];
}

/**
 * Grants claims: a compare-and-set on (task run, fence, node) that is idempotent by claim id. Only a granted claim carries the specification. Claims of all
 * agents that arrive together share one transaction.
 */
@Injectable()
export class ClaimsService {
  private readonly batcher = new Batcher<NodeClaims, ClaimResult[]>(
    (batch) => this.grant(batch),
    ({ claims }) => claims.length,
    MAX_BATCH,
  );

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(SecretKeys) private readonly secretKeys: SecretKeys,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  /** One result per claim, in their order. */
  claim(nodeId: string, claims: readonly Claim[]): Promise<ClaimResult[]> {
    return this.batcher.submit({ nodeId, claims });
  }

  private async grant(batch: readonly NodeClaims[]): Promise<ClaimResult[][]> {
    const flat = batch.flatMap(({ nodeId, claims }) => claims.map((claim) => ({ ...claim, nodeId })));
    const { granted, waiting } = await grantClaims(this.source, flat);
    const { works, broken } = await this.describe(granted);
    this.announce(works);
    await this.failBroken(broken);
    const withoutRoom = new Set(waiting.map((row) => claimKey(row.attempt_id, row.claim_id, row.node_id)));
    return batch.map(({ nodeId, claims }) =>
      claims.map((claim) => {
        const key = claimKey(claim.attemptId, claim.claimId, nodeId);
        return resultOf(claim, works.get(key)?.work, withoutRoom.has(key));
      }),
    );
  }

  /** A task whose values cannot be rendered must not take the other claims of the batch with it. */
  private async describe(rows: readonly GrantedRow[]) {
    const sql = sqlOutsideTransaction(this.source); // asked only for a workflow that this server does not know yet, and for results of other tasks
    const works = new Map<string, { work: AttemptWork; row: GrantedRow }>();
    const broken: AttemptEnding[] = [];
    for (const { row, spec, tasks, variables, sealed, previous, files } of await readClaimValues(sql, this.settlement.specs, rows)) {
      try {
        if (namesOf(spec).secrets.length > 0 && row.protocol < SECRETS_PROTOCOL)
          throw new AppError('protocol-unsupported', phrase('agent-cannot-mask'));
        if (spec.files !== undefined && row.protocol < FILES_PROTOCOL)
          throw new AppError('protocol-unsupported', phrase('agent-cannot-files'));
        const secrets = openSecrets(this.secretKeys, row.project_id, sealed);
        const work = workOf(row, spec, { tasks, variables, secrets }, previous, workingFilesOf(spec, files));
        works.set(claimKey(row.attempt_id, row.claim_id, row.node_id), { work, row });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        broken.push({
          attemptId: row.attempt_id,
          outcome: 'failed',
          exitCode: null,
          signal: null,
          detail: error.detail,
          explanation: error.phrase,
          runSeconds: null,
        });
      }
    }
    return { works, broken };
  }

  private async failBroken(broken: readonly AttemptEnding[]): Promise<void> {
    if (broken.length === 0) return;
    this.settlement.announce(await inTransaction(this.source, (sql) => this.settlement.endAttempts(sql, broken)));
  }

  private announce(works: ReadonlyMap<string, { row: GrantedRow }>): void {
    const runs = new Map<string, string>();
    for (const { row } of works.values()) if (row.first_claim) runs.set(row.run_id, row.project_id);
    this.wakeBus.changed([...runs].map(([id, projectId]) => ({ entity: 'run', id, projectId })));
  }
}

function resultOf(claim: Claim, work: AttemptWork | undefined, noRoom: boolean): ClaimResult {
  if (work) return { attemptId: claim.attemptId, granted: true, work };
  if (noRoom) return { attemptId: claim.attemptId, granted: false, reason: 'its node has no room for it yet', noRoom };
  return {
    attemptId: claim.attemptId,
    granted: false,
    reason: 'the dispatch is no longer valid: already claimed, withdrawn, cancelled or for another node',
  };
}
