import { Module } from '@nestjs/common';
import { SettlementModule } from '../settlement/settlement.module.js';
import { TaskFilesService } from './task-files.service.js';
import { TaskRunsController } from './task-runs.controller.js';
import { TaskRunsService } from './task-runs.service.js';

@Module({
  imports: [SettlementModule],
  controllers: [TaskRunsController],
  providers: [TaskRunsService, TaskFilesService],
  exports: [TaskRunsService],
})
export class TaskRunsModule {}
