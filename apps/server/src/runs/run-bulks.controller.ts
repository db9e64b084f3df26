import {
  type IdParams,
  idParamsSchema,
  type RunBulk,
  type RunBulkList,
  type RunBulkPreview,
  type RunBulkScope,
  runBulkScopeSchema,
  type StartRunBulk,
  startRunBulkSchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { inProjectOfDocument, inVisibleProjects, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { type Idempotency, IdempotencyKey } from '../rest/idempotency.js';
import { Route } from '../rest/route.decorator.js';
import { RunBulksService } from './run-bulks.service.js';

/** Actions on many runs, each seen by the one who began it. */
@Controller()
export class RunBulksController {
  constructor(@Inject(RunBulksService) private readonly bulks: RunBulksService) {}

  @Route('previewRunBulk')
  @RequirePermission('run:operate', inProjectOfDocument)
  preview(@CurrentCaller() caller: Caller, @Body({ schema: runBulkScopeSchema }) scope: RunBulkScope): Promise<RunBulkPreview> {
    return this.bulks.preview(caller, scope);
  }

  @Route('startRunBulk')
  @RequirePermission('run:operate', inProjectOfDocument)
  start(
    @CurrentCaller() caller: Caller,
    @Body({ schema: startRunBulkSchema }) body: StartRunBulk,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<RunBulk> {
    return this.bulks.start(caller, body, idempotency);
  }

  @Route('listRunBulks')
  @RequirePermission('run:read', inVisibleProjects)
  list(@CurrentCaller() caller: Caller): Promise<RunBulkList> {
    return this.bulks.list(caller.userId);
  }

  @Route('getRunBulk')
  @RequirePermission('run:read', inVisibleProjects)
  get(@CurrentCaller() caller: Caller, @Param({ schema: idParamsSchema }) { id }: IdParams): Promise<RunBulk> {
    return this.bulks.get(caller.userId, id);
  }

  @Route('stopRunBulk')
  @RequirePermission('run:operate', inProjectOfDocument)
  stop(@CurrentCaller() caller: Caller, @Param({ schema: idParamsSchema }) { id }: IdParams): Promise<RunBulk> {
    return this.bulks.stop(caller.userId, id);
  }
}
