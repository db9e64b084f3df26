import { sqlOutsideTransaction } from '@medley/database';
import { Controller, Get, Header, Inject } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { DataSource } from 'typeorm';
import { onPlatform, RequirePermission } from '../access/access-rule.js';
import { METRICS } from './metrics.js';

/** Prometheus exposition; a scraper sends an API token with the scope `read`. */
@Controller()
export class MetricsController {
  constructor(
    @Inject(METRICS) private readonly registry: Registry,
    @Inject(DataSource) source: DataSource,
  ) {
    const sql = sqlOutsideTransaction(source);
    new Gauge({
      name: 'medley_nodes',
      help: 'Registered nodes by state',
      labelNames: ['state'],
      registers: [registry],
      async collect() {
        const rows = await sql.query<{ state: string; count: number }>(
          'select state, count(*)::int as count from nodes where removed_at is null group by state',
        );
        this.reset();
        for (const { state, count } of rows) this.set({ state }, count);
      },
    });
    new Gauge({
      name: 'medley_runs_active',
      help: 'Runs that have not ended',
      registers: [registry],
      async collect() {
        const [row] = await sql.query<{ count: number }>('select count(*)::int as count from runs where finished_at is null');
        this.set(row!.count);
      },
    });
  }

  @Get('metrics')
  @RequirePermission('metrics:read', onPlatform)
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  expose(): Promise<string> {
    return this.registry.metrics();
  }
}
