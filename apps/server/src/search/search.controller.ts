import { type SearchAnswer, type SearchQuery, searchQuerySchema } from '@medley/contracts';
import { Controller, Inject, Query } from '@nestjs/common';
import { RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { SearchService } from './search.service.js';

@Controller()
export class SearchController {
  constructor(@Inject(SearchService) private readonly search: SearchService) {}

  @Route('search')
  @RequirePermission('overview:read')
  find(@Query({ schema: searchQuerySchema }) query: SearchQuery): Promise<SearchAnswer> {
    return this.search.find(query);
  }
}
