import { Module } from '@nestjs/common';
import { RunsModule } from '../runs/runs.module.js';
import { SettlementModule } from '../settlement/settlement.module.js';
import { BackfillsController } from './backfills.controller.js';
import { BackfillsService } from './backfills.service.js';

@Module({ imports: [SettlementModule, RunsModule], controllers: [BackfillsController], providers: [BackfillsService] })
export class BackfillsModule {}
