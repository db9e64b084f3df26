import {
  type CreateLimit,
  createLimitSchema,
  type IdParams,
  idParamsSchema,
  type LimitDetail,
  type LimitQuery,
  type LimitView,
  limitQuerySchema,
  type Page,
  type PatchLimit,
  type ProjectLimitParams,
  patchLimitSchema,
  projectLimitParamsSchema,
  type RunKeys,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { inProjectOf, inVisibleProjects, onPlatform, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller, visibleProjects } from '../access/caller.js';
import { type Idempotency, IdempotencyKey } from '../rest/idempotency.js';
import { Route } from '../rest/route.decorator.js';
import { LimitsService } from './limits.service.js';

@Controller()
export class LimitsController {
  constructor(@Inject(LimitsService) private readonly limits: LimitsService) {}

  @Route('listLimits')
  @RequirePermission('limit:read', inVisibleProjects)
  list(@CurrentCaller() caller: Caller, @Query({ schema: limitQuerySchema }) query: LimitQuery): Promise<Page<LimitView>> {
    return this.limits.list(query, visibleProjects(caller, 'limit:read'));
  }

  @Route('listRunKeys')
  @RequirePermission('limit:read', inVisibleProjects)
  listRunKeys(@CurrentCaller() caller: Caller): Promise<RunKeys> {
    return this.limits.listRunKeys(visibleProjects(caller, 'limit:read'));
  }

  @Route('createPlatformLimit')
  @RequirePermission('pool:write', onPlatform)
  createOnPlatform(
    @CurrentCaller() caller: Caller,
    @Body({ schema: createLimitSchema }) body: CreateLimit,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<LimitDetail> {
    return this.limits.create(null, body, visibleProjects(caller, 'run:read'), idempotency);
  }

  @Route('getPlatformLimit')
  @RequirePermission('pool:read', onPlatform)
  getOnPlatform(@CurrentCaller() caller: Caller, @Param({ schema: idParamsSchema }) { id }: IdParams): Promise<LimitDetail> {
    return this.limits.get(id, null, visibleProjects(caller, 'run:read'));
  }

  @Route('patchPlatformLimit')
  @RequirePermission('pool:write', onPlatform)
  patchOnPlatform(
    @CurrentCaller() caller: Caller,
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: patchLimitSchema }) body: PatchLimit,
  ): Promise<LimitDetail> {
    return this.limits.patch(id, null, body, visibleProjects(caller, 'run:read'));
  }

  @Route('removePlatformLimit')
  @RequirePermission('pool:write', onPlatform)
  removeOnPlatform(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<void> {
    return this.limits.remove(id, null);
  }

  @Route('createLimit')
  @RequirePermission('limit:write', inProjectOf('project'))
  create(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: createLimitSchema }) body: CreateLimit,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<LimitDetail> {
    return this.limits.create(id, body, null, idempotency);
  }

  @Route('getLimit')
  @RequirePermission('limit:read', inProjectOf('project'))
  get(@Param({ schema: projectLimitParamsSchema }) { id, limitId }: ProjectLimitParams): Promise<LimitDetail> {
    return this.limits.get(limitId, id, null);
  }

  @Route('patchLimit')
  @RequirePermission('limit:write', inProjectOf('project'))
  patch(
    @Param({ schema: projectLimitParamsSchema }) { id, limitId }: ProjectLimitParams,
    @Body({ schema: patchLimitSchema }) body: PatchLimit,
  ): Promise<LimitDetail> {
    return this.limits.patch(limitId, id, body, null);
  }

  @Route('removeLimit')
  @RequirePermission('limit:write', inProjectOf('project'))
  remove(@Param({ schema: projectLimitParamsSchema }) { id, limitId }: ProjectLimitParams): Promise<void> {
    return this.limits.remove(limitId, id);
  }
}
