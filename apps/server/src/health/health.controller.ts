import { AppError } from '@medley/core';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Controller, Get, Inject } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Public } from '../access/access-rule.js';

const READY_WITHIN_MS = 2000;

/** `/healthz`: the process answers. `/readyz`: it can do its work, which needs Postgres; Redis may be away. */
@Controller()
export class HealthController {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  @Get('healthz')
  @Public()
  alive(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Public()
  async ready(): Promise<{ status: string }> {
    const answered = this.sql.query('select 1').then(() => true);
    if (await Promise.race([answered, afterMs(READY_WITHIN_MS)])) return { status: 'ok' };
    throw new AppError('unavailable', `Postgres did not answer within ${READY_WITHIN_MS} ms.`);
  }
}

function afterMs(ms: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), ms).unref());
}
