import { Module } from '@nestjs/common';
import { SettlementModule } from '../settlement/settlement.module.js';
import { DryRunsController } from './dry-runs.controller.js';
import { DryRunsService } from './dry-runs.service.js';

@Module({ imports: [SettlementModule], controllers: [DryRunsController], providers: [DryRunsService] })
export class DryRunsModule {}
