import { type Activity, type ClusterLoad, type RangeQuery, rangeQuerySchema, type Timeline } from '@medley/contracts';
import { Controller, Inject, Query } from '@nestjs/common';
import { RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { HistoryService } from './history.service.js';

@Controller()
export class HistoryController {
  constructor(@Inject(HistoryService) private readonly history: HistoryService) {}

  @Route('getTimeline')
  @RequirePermission('overview:read')
  timeline(@Query({ schema: rangeQuerySchema }) range: RangeQuery): Promise<Timeline> {
    return this.history.timeline(range);
  }

  @Route('getActivity')
  @RequirePermission('overview:read')
  activity(@Query({ schema: rangeQuerySchema }) range: RangeQuery): Promise<Activity> {
    return this.history.activity(range);
  }

  @Route('getClusterLoad')
  @RequirePermission('overview:read')
  clusterLoad(@Query({ schema: rangeQuerySchema }) range: RangeQuery): Promise<ClusterLoad> {
    return this.history.clusterLoad(range);
  }
}
