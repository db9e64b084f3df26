import { AppError } from '@medley/core';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Controller, Get, Inject } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Public } from '../access/access-rule.js';
import { type BlobStoreState, BlobStoreWatch } from '../blobs/blob-store-watch.js';
import { ServerConfig } from '../config.js';

const READY_WITHIN_MS = 2000;

/** `/healthz`: the process answers. `/readyz`: it can do its work, which needs Postgres; Redis and the blob store may be away. */
@Controller()
export class HealthController {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) source: DataSource,
    @Inject(BlobStoreWatch) private readonly blobStore: BlobStoreWatch,
    @Inject(ServerConfig) private readonly config: ServerConfig,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  @Get('healthz')
  @Public()
  alive(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  async ready(): Promise<{ status: string; instance: string | null; blobStore: BlobStoreState; detail?: string }> {
    const answered = this.sql.query('select 1').then(() => true);
    if (await Promise.race([answered, afterMs(READY_WITHIN_MS)]))
      return { status: 'ok', instance: this.config.instance, ...this.blobStore.state };
    throw new AppError('unavailable', `Postgres did not answer within ${READY_WITHIN_MS} ms.`);
  }
}

function afterMs(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref());
}
