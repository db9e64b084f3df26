import {
  type DryRun,
  type DryRunFile,
  dryRunFileSchema,
  type IdParams,
  idParamsSchema,
  type StartRun,
  startRunSchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { inProjectOf, onPlatform, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { DryRunsService } from './dry-runs.service.js';

@Controller()
export class DryRunsController {
  constructor(@Inject(DryRunsService) private readonly dryRuns: DryRunsService) {}

  @Route('dryRun')
  @RequirePermission('workflow:read', inProjectOf('workflow'))
  ofWorkflow(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: startRunSchema }) body: StartRun,
    @CurrentCaller() caller: Caller,
  ): Promise<DryRun> {
    return this.dryRuns.ofWorkflow(id, body, caller);
  }

  @Route('dryRunFile')
  @RequirePermission('definition:check', onPlatform)
  ofFile(@Body({ schema: dryRunFileSchema }) body: DryRunFile, @CurrentCaller() caller: Caller): Promise<DryRun> {
    return this.dryRuns.ofFile(body, caller);
  }
}
