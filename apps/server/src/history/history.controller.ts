import { type Activity, type ClusterLoad, type RangeQuery, rangeQuerySchema, type Timeline } from '@medley/contracts';
import { Controller, Inject, Query } from '@nestjs/common';
import { inVisibleProjects, onPlatform, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller, visibleProjects } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { HistoryService } from './history.service.js';

@Controller()
export class HistoryController {
  constructor(@Inject(HistoryService) private readonly history: HistoryService) {}

  @Route('getTimeline')
  @RequirePermission('overview:read', inVisibleProjects)
  timeline(@CurrentCaller() caller: Caller, @Query({ schema: rangeQuerySchema }) range: RangeQuery): Promise<Timeline> {
    return this.history.timeline(range, visibleProjects(caller, 'run:read', range.projectId));
  }

  @Route('getActivity')
  @RequirePermission('overview:read', inVisibleProjects)
  activity(@CurrentCaller() caller: Caller, @Query({ schema: rangeQuerySchema }) range: RangeQuery): Promise<Activity> {
    return this.history.activity(range, visibleProjects(caller, 'run:read', range.projectId));
  }

  @Route('getClusterLoad')
  @RequirePermission('node:read', onPlatform)
  clusterLoad(@Query({ schema: rangeQuerySchema }) range: RangeQuery): Promise<ClusterLoad> {
    return this.history.clusterLoad(range);
  }
}
