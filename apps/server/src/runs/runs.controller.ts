import {
  type CancelRequest,
  cancelRequestSchema,
  type IdParams,
  idParamsSchema,
  type Page,
  type RerunRequest,
  type RunCount,
  type RunFilter,
  type RunListItem,
  type RunQuery,
  type RunTasks,
  type RunView,
  rerunRequestSchema,
  runFilterSchema,
  runQuerySchema,
  type StartRun,
  startRunSchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { inProjectOf, inVisibleProjects, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller, visibleProjects } from '../access/caller.js';
import { type Idempotency, IdempotencyKey } from '../rest/idempotency.js';
import { Route } from '../rest/route.decorator.js';
import { RunsService } from './runs.service.js';

@Controller()
export class RunsController {
  constructor(@Inject(RunsService) private readonly runs: RunsService) {}

  @Route('listRuns')
  @RequirePermission('run:read', inVisibleProjects)
  list(@CurrentCaller() caller: Caller, @Query({ schema: runQuerySchema }) query: RunQuery): Promise<Page<RunListItem>> {
    return this.runs.list(query, visibleProjects(caller, 'run:read', query.projectId));
  }

  @Route('countRuns')
  @RequirePermission('run:read', inVisibleProjects)
  count(@CurrentCaller() caller: Caller, @Query({ schema: runFilterSchema }) filter: RunFilter): Promise<RunCount> {
    return this.runs.count(filter, visibleProjects(caller, 'run:read', filter.projectId));
  }

  @Route('startRun')
  @RequirePermission('run:operate', inProjectOf('workflow'))
  start(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: startRunSchema }) body: StartRun,
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<RunView> {
    return this.runs.start(id, body, caller, idempotency);
  }

  @Route('getRun')
  @RequirePermission('run:read', inProjectOf('run'))
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<RunView> {
    return this.runs.get(id);
  }

  @Route('getRunTasks')
  @RequirePermission('run:read', inProjectOf('run'))
  tasks(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<RunTasks> {
    return this.runs.tasks(id);
  }

  @Route('cancelRun')
  @RequirePermission('run:operate', inProjectOf('run'))
  cancel(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: cancelRequestSchema }) body: CancelRequest,
  ): Promise<RunView> {
    return this.runs.cancel(id, body);
  }

  @Route('pauseRun')
  @RequirePermission('run:operate', inProjectOf('run'))
  pause(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<RunView> {
    return this.runs.pause(id);
  }

  @Route('resumeRun')
  @RequirePermission('run:operate', inProjectOf('run'))
  resume(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<RunView> {
    return this.runs.resume(id);
  }

  @Route('rerun')
  @RequirePermission('run:operate', inProjectOf('run'))
  rerun(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: rerunRequestSchema }) body: RerunRequest,
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<RunView> {
    return this.runs.rerun(id, body, caller, idempotency);
  }
}
