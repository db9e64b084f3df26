import {
  type IdParams,
  idParamsSchema,
  type PutSavedView,
  putSavedViewSchema,
  type SavedView,
  type SavedViewList,
  type SavedViewQuery,
  savedViewQuerySchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { onPlatform, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { type Idempotency, IdempotencyKey } from '../rest/idempotency.js';
import { Route } from '../rest/route.decorator.js';
import { SavedViewsService } from './saved-views.service.js';

@Controller()
export class SavedViewsController {
  constructor(@Inject(SavedViewsService) private readonly views: SavedViewsService) {}

  @Route('listSavedViews')
  @RequirePermission('self:read', onPlatform)
  list(@CurrentCaller() caller: Caller, @Query({ schema: savedViewQuerySchema }) { page }: SavedViewQuery): Promise<SavedViewList> {
    return this.views.list(caller.userId, page);
  }

  @Route('createSavedView')
  @RequirePermission('self:write', onPlatform)
  create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: putSavedViewSchema }) body: PutSavedView,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<SavedView> {
    return this.views.create(caller.userId, body, idempotency);
  }

  @Route('putSavedView')
  @RequirePermission('self:write', onPlatform)
  put(
    @CurrentCaller() caller: Caller,
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: putSavedViewSchema }) body: PutSavedView,
  ): Promise<SavedView> {
    return this.views.put(caller.userId, id, body);
  }

  @Route('removeSavedView')
  @RequirePermission('self:write', onPlatform)
  remove(@CurrentCaller() caller: Caller, @Param({ schema: idParamsSchema }) { id }: IdParams): Promise<void> {
    return this.views.remove(caller.userId, id);
  }
}
