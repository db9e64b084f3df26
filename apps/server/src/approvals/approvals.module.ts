import { Module } from '@nestjs/common';
import { SettlementModule } from '../settlement/settlement.module.js';
import { TaskRunsModule } from '../task-runs/task-runs.module.js';
import { ApprovalsController } from './approvals.controller.js';
import { ApprovalsService } from './approvals.service.js';

@Module({ imports: [SettlementModule, TaskRunsModule], controllers: [ApprovalsController], providers: [ApprovalsService] })
export class ApprovalsModule {}
