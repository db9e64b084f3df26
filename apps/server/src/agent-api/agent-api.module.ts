import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { DispatchQueueModule } from '../dispatch-queue/dispatch-queue.module.js';
import { SettlementModule } from '../settlement/settlement.module.js';
import { AgentApiController } from './agent-api.controller.js';
import { AgentFilesController } from './agent-files.controller.js';
import { AgentFilesService } from './agent-files.service.js';
import { ClaimsService } from './claims.service.js';
import { JoinService } from './join.service.js';
import { LooksService } from './looks.service.js';
import { NodeSessionService } from './node-session.service.js';
import { ReportsService } from './reports.service.js';
import { WorkService } from './work.service.js';

@Module({
  imports: [AccessModule, DispatchQueueModule, SettlementModule],
  controllers: [AgentApiController, AgentFilesController],
  providers: [AgentFilesService, ClaimsService, JoinService, LooksService, NodeSessionService, ReportsService, WorkService],
})
export class AgentApiModule {}
