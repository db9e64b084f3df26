import {
  type IdParams,
  idParamsSchema,
  type MarkTaskRun,
  markTaskRunSchema,
  type Page,
  type TaskFileParams,
  type TaskFiles,
  type TaskPartQuery,
  type TaskRunItem,
  type TaskRunView,
  taskFileParamsSchema,
  taskPartQuerySchema,
  type Why,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query, StreamableFile } from '@nestjs/common';
import { inProjectOf, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { TaskFilesService } from './task-files.service.js';
import { TaskRunsService } from './task-runs.service.js';

@Controller()
export class TaskRunsController {
  constructor(
    @Inject(TaskRunsService) private readonly taskRuns: TaskRunsService,
    @Inject(TaskFilesService) private readonly taskFiles: TaskFilesService,
  ) {}

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

  @Route('listTaskFiles')
  @RequirePermission('run:read', inProjectOf('task run'))
  files(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<TaskFiles> {
    return this.taskFiles.list(id);
  }

  @Route('downloadTaskFile')
  @RequirePermission('run:read', inProjectOf('task run'))
  async download(@Param({ schema: taskFileParamsSchema }) { id, fileId }: TaskFileParams): Promise<StreamableFile> {
    const { name, bytes, body } = await this.taskFiles.open(id, fileId);
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`)}`;
    return new StreamableFile(body, { type: 'application/octet-stream', length: bytes, disposition });
  }

  @Route('getWhy')
  @RequirePermission('run:read', inProjectOf('task run'))
  why(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<Why> {
    return this.taskRuns.why(id);
  }
}
