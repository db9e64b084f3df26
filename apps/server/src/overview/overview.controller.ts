import { type Overview, type OverviewQuery, overviewQuerySchema } from '@medley/contracts';
import { Controller, Inject, Query } from '@nestjs/common';
import { inVisibleProjects, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller, visibleProjects } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { OverviewService } from './overview.service.js';

@Controller()
export class OverviewController {
  constructor(@Inject(OverviewService) private readonly overview: OverviewService) {}

  @Route('getOverview')
  @RequirePermission('overview:read', inVisibleProjects)
  get(@CurrentCaller() caller: Caller, @Query({ schema: overviewQuerySchema }) { projectId }: OverviewQuery): Promise<Overview> {
    return this.overview.get(visibleProjects(caller, 'run:read', projectId));
  }
}
