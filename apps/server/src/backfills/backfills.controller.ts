import {
  type Backfill,
  type BackfillFire,
  type BackfillPreview,
  type BackfillQuery,
  type BackfillScope,
  backfillQuerySchema,
  backfillScopeSchema,
  type CancelBackfill,
  cancelBackfillSchema,
  type IdParams,
  idParamsSchema,
  type Page,
  type PageQuery,
  pageQuerySchema,
  type StartBackfill,
  startBackfillSchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { inProjectOf, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { type Idempotency, IdempotencyKey } from '../rest/idempotency.js';
import { Route } from '../rest/route.decorator.js';
import { BackfillsService } from './backfills.service.js';

@Controller()
export class BackfillsController {
  constructor(@Inject(BackfillsService) private readonly backfills: BackfillsService) {}

  @Route('previewBackfill')
  @RequirePermission('schedule:read', inProjectOf('schedule'))
  preview(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: backfillScopeSchema }) scope: BackfillScope,
  ): Promise<BackfillPreview> {
    return this.backfills.preview(id, scope);
  }

  @Route('startBackfill')
  @RequirePermission('run:operate', inProjectOf('schedule'))
  start(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: startBackfillSchema }) body: StartBackfill,
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<Backfill> {
    return this.backfills.start(id, body, caller, idempotency);
  }

  @Route('listBackfills')
  @RequirePermission('schedule:read', inProjectOf('schedule'))
  list(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: backfillQuerySchema }) query: BackfillQuery,
  ): Promise<Page<Backfill>> {
    return this.backfills.list(id, query);
  }

  @Route('getBackfill')
  @RequirePermission('schedule:read', inProjectOf('backfill'))
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<Backfill> {
    return this.backfills.get(id);
  }

  @Route('listBackfillFires')
  @RequirePermission('schedule:read', inProjectOf('backfill'))
  fires(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<Page<BackfillFire>> {
    return this.backfills.fires(id, query);
  }

  @Route('cancelBackfill')
  @RequirePermission('run:operate', inProjectOf('backfill'))
  cancel(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: cancelBackfillSchema }) body: CancelBackfill,
    @CurrentCaller() caller: Caller,
  ): Promise<Backfill> {
    return this.backfills.cancel(id, body, caller);
  }
}
