import {
  type IdParams,
  idParamsSchema,
  type Page,
  type PageQuery,
  type PatchPool,
  type PoolView,
  pageQuerySchema,
  patchPoolSchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { PoolsService } from './pools.service.js';

@Controller()
export class PoolsController {
  constructor(@Inject(PoolsService) private readonly pools: PoolsService) {}

  @Route('listPools')
  @RequirePermission('pool:read')
  list(@Query({ schema: pageQuerySchema }) query: PageQuery): Promise<Page<PoolView>> {
    return this.pools.list(query);
  }

  @Route('getPool')
  @RequirePermission('pool:read')
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<PoolView> {
    return this.pools.get(id);
  }

  @Route('patchPool')
  @RequirePermission('pool:write')
  patch(@Param({ schema: idParamsSchema }) { id }: IdParams, @Body({ schema: patchPoolSchema }) body: PatchPool): Promise<PoolView> {
    return this.pools.patch(id, body);
  }
}
