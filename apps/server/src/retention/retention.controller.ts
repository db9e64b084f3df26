import { type Retention, type RetentionQuery, retentionQuerySchema } from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Controller, Inject, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { onPlatform, RequirePermission } from '../access/access-rule.js';
import { ServerConfig } from '../config.js';
import { Route } from '../rest/route.decorator.js';
import { readRetention } from './retention.repository.js';

/** The dry run of everything that removes by age. */
@Controller()
export class RetentionController {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) source: DataSource,
    @Inject(ServerConfig) private readonly config: ServerConfig,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  @Route('getRetention')
  @RequirePermission('metrics:read', onPlatform)
  async get(@Query({ schema: retentionQuerySchema }) { runDays }: RetentionQuery): Promise<Retention> {
    return { items: await readRetention(this.sql, this.config, runDays ?? this.config.runRetentionDays) };
  }
}
