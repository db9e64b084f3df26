import {
  type CreatePool,
  createPoolSchema,
  type IdParams,
  idParamsSchema,
  type Page,
  type PatchPool,
  type PoolQuery,
  type PoolView,
  patchPoolSchema,
  poolQuerySchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { onPlatform, RequirePermission } from '../access/access-rule.js';
import { type Idempotency, IdempotencyKey } from '../rest/idempotency.js';
import { Route } from '../rest/route.decorator.js';
import { PoolsService } from './pools.service.js';

@Controller()
export class PoolsController {
  constructor(@Inject(PoolsService) private readonly pools: PoolsService) {}

  @Route('listPools')
  @RequirePermission('pool:read', onPlatform)
  list(@Query({ schema: poolQuerySchema }) query: PoolQuery): Promise<Page<PoolView>> {
    return this.pools.list(query);
  }

  @Route('createPool')
  @RequirePermission('pool:write', onPlatform)
  create(@Body({ schema: createPoolSchema }) body: CreatePool, @IdempotencyKey() idempotency: Idempotency | null): Promise<PoolView> {
    return this.pools.create(body, idempotency);
  }

  @Route('getPool')
  @RequirePermission('pool:read', onPlatform)
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<PoolView> {
    return this.pools.get(id);
  }

  @Route('patchPool')
  @RequirePermission('pool:write', onPlatform)
  patch(@Param({ schema: idParamsSchema }) { id }: IdParams, @Body({ schema: patchPoolSchema }) body: PatchPool): Promise<PoolView> {
    return this.pools.patch(id, body);
  }

  @Route('removePool')
  @RequirePermission('pool:write', onPlatform)
  remove(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<void> {
    return this.pools.remove(id);
  }
}
