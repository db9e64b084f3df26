import type { DistributionQuery, Page, PlacementListItem, PlacementQuery, PoolDistribution } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { VisibleProjects } from '../access/caller.js';
import { readShares } from './placement-shares.repository.js';
import { listPlacements } from './placements.repository.js';
import { distributionOf } from './share-verdict.js';

/** The newest decisions of a range that are counted: reading more would take longer than people wait. */
const MOST_DECISIONS = 10_000;

@Injectable()
export class PlacementHistoryService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Throws not-found. */
  async distribution(poolId: string, range: DistributionQuery): Promise<PoolDistribution> {
    const [pool] = await this.sql.query<{ name: string }>('select name from pools where id = $1 and removed_at is null', [poolId]);
    if (!pool) throw new AppError('not-found', phrase('no-such-pool'));
    const shares = await readShares(this.sql, poolId, range, MOST_DECISIONS);
    return { poolId, pool: pool.name, ...distributionOf(shares, MOST_DECISIONS) };
  }

  list(query: PlacementQuery, projects: VisibleProjects): Promise<Page<PlacementListItem>> {
    return listPlacements(this.sql, query, projects);
  }
}
