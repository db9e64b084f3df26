import { Module } from '@nestjs/common';
import { SettlementModule } from '../settlement/settlement.module.js';
import { RunsController } from './runs.controller.js';
import { RunsService } from './runs.service.js';

@Module({ imports: [SettlementModule], controllers: [RunsController], providers: [RunsService] })
export class RunsModule {}
