import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import type { Logger } from 'pino';
import { AccessModule } from './access/access.module.js';
import { BootstrapModule } from './bootstrap/bootstrap.module.js';
import type { ServerConfig } from './config.js';
import { DatabaseModule } from './database/database.module.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { HealthModule } from './health/health.module.js';
import { processModule } from './logging/process.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { ZodValidationPipe } from './rest/zod-validation.pipe.js';

@Module({
  imports: [DatabaseModule, MetricsModule, AccessModule, BootstrapModule, HealthModule, OpenApiModule],
  providers: [
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useClass: ZodValidationPipe },
  ],
})
class AppModule {}

/** Everything a server process is made of. */
export function appModule(config: ServerConfig, logger: Logger): DynamicModule {
  return { module: AppModule, imports: [processModule(config, logger)] };
}
