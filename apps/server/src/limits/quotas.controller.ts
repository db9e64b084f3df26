import { type IdParams, idParamsSchema, type PutQuota, putQuotaSchema, type QuotaList, type QuotaView } from '@medley/contracts';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { inProjectOf, inVisibleProjects, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller, visibleProjects } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { QuotasService } from './quotas.service.js';

@Controller()
export class QuotasController {
  constructor(@Inject(QuotasService) private readonly quotas: QuotasService) {}

  @Route('listQuotas')
  @RequirePermission('limit:read', inVisibleProjects)
  list(@CurrentCaller() caller: Caller): Promise<QuotaList> {
    return this.quotas.list(visibleProjects(caller, 'limit:read'));
  }

  @Route('getQuota')
  @RequirePermission('limit:read', inProjectOf('project'))
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<QuotaView> {
    return this.quotas.get(id);
  }

  @Route('putQuota')
  @RequirePermission('project:write', inProjectOf('project'))
  put(@Param({ schema: idParamsSchema }) { id }: IdParams, @Body({ schema: putQuotaSchema }) body: PutQuota): Promise<QuotaView> {
    return this.quotas.put(id, body);
  }
}
