import {
  type DistributionQuery,
  distributionQuerySchema,
  type IdParams,
  idParamsSchema,
  type Page,
  type PlacementListItem,
  type PlacementQuery,
  type PoolDistribution,
  placementQuerySchema,
} from '@medley/contracts';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { inVisibleProjects, onPlatform, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller, visibleProjects } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { PlacementHistoryService } from './placement-history.service.js';

@Controller()
export class PlacementHistoryController {
  constructor(@Inject(PlacementHistoryService) private readonly history: PlacementHistoryService) {}

  @Route('getPoolDistribution')
  @RequirePermission('pool:read', onPlatform)
  distribution(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: distributionQuerySchema }) range: DistributionQuery,
  ): Promise<PoolDistribution> {
    return this.history.distribution(id, range);
  }

  @Route('listPlacements')
  @RequirePermission('run:read', inVisibleProjects)
  list(@CurrentCaller() caller: Caller, @Query({ schema: placementQuerySchema }) query: PlacementQuery): Promise<Page<PlacementListItem>> {
    return this.history.list(query, visibleProjects(caller, 'run:read'));
  }
}
