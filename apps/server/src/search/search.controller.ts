import { type SearchAnswer, type SearchQuery, searchQuerySchema } from '@medley/contracts';
import { Controller, Inject, Query } from '@nestjs/common';
import { inVisibleProjects, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller, visibleProjects } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { SearchService } from './search.service.js';

@Controller()
export class SearchController {
  constructor(@Inject(SearchService) private readonly search: SearchService) {}

  @Route('search')
  @RequirePermission('overview:read', inVisibleProjects)
  find(@CurrentCaller() caller: Caller, @Query({ schema: searchQuerySchema }) { text, projectId }: SearchQuery): Promise<SearchAnswer> {
    return this.search.find(text, visibleProjects(caller, 'workflow:read', projectId));
  }
}
