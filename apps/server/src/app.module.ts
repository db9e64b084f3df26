import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { Logger } from 'pino';
import { AccessModule } from './access/access.module.js';
import { ExternalSignInModule } from './access/sign-in/external-sign-in.module.js';
import { AgentApiModule } from './agent-api/agent-api.module.js';
import { AgentDownloadModule } from './agent-download/agent-download.module.js';
import { ApprovalsModule } from './approvals/approvals.module.js';
import { AttemptsModule } from './attempts/attempts.module.js';
import { AuditModule } from './audit/audit.module.js';
import { BackfillsModule } from './backfills/backfills.module.js';
import { BlobsModule } from './blobs/blobs.module.js';
import { BootstrapModule } from './bootstrap/bootstrap.module.js';
import { CalendarsModule } from './calendars/calendars.module.js';
import type { ServerConfig } from './config.js';
import { DatabaseModule } from './database/database.module.js';
import { DryRunsModule } from './dry-runs/dry-runs.module.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { HistoryModule } from './history/history.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { processModule } from './logging/process.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { NodesModule } from './nodes/nodes.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OverviewModule } from './overview/overview.module.js';
import { PassesModule } from './passes/passes.module.js';
import { PlacementHistoryModule } from './placement-history/placement-history.module.js';
import { PoolsModule } from './pools/pools.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { BareRequestInterceptor } from './rest/bare-request.interceptor.js';
import { ZodValidationPipe } from './rest/zod-validation.pipe.js';
import { RetentionModule } from './retention/retention.module.js';
import { RunsModule } from './runs/runs.module.js';
import { SavedViewsModule } from './saved-views/saved-views.module.js';
import { SchedulesModule } from './schedules/schedules.module.js';
import { SearchModule } from './search/search.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { TaskRunsModule } from './task-runs/task-runs.module.js';
import { VariablesModule } from './variables/variables.module.js';
import { WakeModule } from './wake/wake.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { WorkflowsModule } from './workflows/workflows.module.js';

@Module({
  imports: [
    DatabaseModule,
    BlobsModule,
    WakeModule,
    MetricsModule,
    AccessModule,
    AuditModule,
    ExternalSignInModule,
    BootstrapModule,
    HealthModule,
    OpenApiModule,
    DryRunsModule,
    EventsModule,
    ProjectsModule,
    VariablesModule,
    CalendarsModule,
    SecretsModule,
    WorkflowsModule,
    RunsModule,
    NodesModule,
    PoolsModule,
    LimitsModule,
    PlacementHistoryModule,
    SavedViewsModule,
    SchedulesModule,
    BackfillsModule,
    WebhooksModule,
    OverviewModule,
    HistoryModule,
    SearchModule,
    TaskRunsModule,
    ApprovalsModule,
    AttemptsModule,
    AgentApiModule,
    AgentDownloadModule,
    PassesModule,
    RetentionModule,
  ],
  providers: [
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useClass: ZodValidationPipe },
    { provide: APP_INTERCEPTOR, useClass: BareRequestInterceptor },
  ],
})
class AppModule {}

/** Everything a server process is made of. */
export function appModule(config: ServerConfig, logger: Logger): DynamicModule {
  return { module: AppModule, imports: [processModule(config, logger)] };
}
