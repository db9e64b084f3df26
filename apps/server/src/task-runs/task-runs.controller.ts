import {
  type IdParams,
  idParamsSchema,
  type MarkTaskRun,
  markTaskRunSchema,
  type Page,
  type TaskPartQuery,
  type TaskRunItem,
  type TaskRunView,
  taskPartQuerySchema,
  type Why,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { inProjectOf, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { TaskRunsService } from './task-runs.service.js';

@Controller()
export class TaskRunsController {
  constructor(@Inject(TaskRunsService) private readonly taskRuns: TaskRunsService) {}

  @Route('getTaskRun')
  @RequirePermission('run:read', inProjectOf('task run'))
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<TaskRunView> {
    return this.taskRuns.get(id);
  }

  @Route('markTaskRun')
  @RequirePermission('run:operate', inProjectOf('task run'))
  mark(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: markTaskRunSchema }) body: MarkTaskRun,
    @CurrentCaller() caller: Caller,
  ): Promise<TaskRunView> {
    return this.taskRuns.mark(id, body, caller);
  }

  @Route('listTaskRunParts')
  @RequirePermission('run:read', inProjectOf('task run'))
  parts(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: taskPartQuerySchema }) query: TaskPartQuery,
  ): Promise<Page<TaskRunItem>> {
    return this.taskRuns.parts(id, query);
  }

  @Route('getWhy')
  @RequirePermission('run:read', inProjectOf('task run'))
  why(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<Why> {
    return this.taskRuns.why(id);
  }
}
