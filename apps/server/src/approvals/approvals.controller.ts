import {
  type Approval,
  type ApprovalQuery,
  approvalQuerySchema,
  type DecideApproval,
  decideApprovalSchema,
  type IdParams,
  idParamsSchema,
  type Page,
  type TaskRunView,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { inProjectOf, inVisibleProjects, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { ApprovalsService } from './approvals.service.js';

@Controller()
export class ApprovalsController {
  constructor(@Inject(ApprovalsService) private readonly approvals: ApprovalsService) {}

  @Route('listApprovals')
  @RequirePermission('run:read', inVisibleProjects)
  list(@CurrentCaller() caller: Caller, @Query({ schema: approvalQuerySchema }) query: ApprovalQuery): Promise<Page<Approval>> {
    return this.approvals.list(caller, query);
  }

  @Route('decideApproval')
  @RequirePermission('run:approve', inProjectOf('task run'))
  decide(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: decideApprovalSchema }) body: DecideApproval,
    @CurrentCaller() caller: Caller,
  ): Promise<TaskRunView> {
    return this.approvals.decide(caller, id, body);
  }
}
