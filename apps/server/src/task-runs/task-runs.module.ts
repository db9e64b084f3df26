import { Module } from '@nestjs/common';
import { TaskRunsController } from './task-runs.controller.js';
import { TaskRunsService } from './task-runs.service.js';

@Module({ controllers: [TaskRunsController], providers: [TaskRunsService] })
export class TaskRunsModule {}
