import { type IdParams, idParamsSchema, type TaskRunView, type Why } from '@medley/contracts';
import { Controller, Inject, Param } from '@nestjs/common';
import { RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { TaskRunsService } from './task-runs.service.js';

@Controller()
export class TaskRunsController {
  constructor(@Inject(TaskRunsService) private readonly taskRuns: TaskRunsService) {}

  @Route('getTaskRun')
  @RequirePermission('run:read')
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<TaskRunView> {
    return this.taskRuns.get(id);
  }

  @Route('getWhy')
  @RequirePermission('run:read')
  why(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<Why> {
    return this.taskRuns.why(id);
  }
}
