import { Module } from '@nestjs/common';
import { SettlementModule } from '../settlement/settlement.module.js';
import { RunBulksController } from './run-bulks.controller.js';
import { RunBulksService } from './run-bulks.service.js';
import { RunDetailController } from './run-detail.controller.js';
import { RunsController } from './runs.controller.js';
import { RunsService } from './runs.service.js';

@Module({
  imports: [SettlementModule],
  controllers: [RunBulksController, RunDetailController, RunsController],
  providers: [RunsService, RunBulksService],
  exports: [RunsService],
})
export class RunsModule {}
