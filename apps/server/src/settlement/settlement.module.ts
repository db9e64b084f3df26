import { Module } from '@nestjs/common';
import { RuntimeLearner } from './runtime-learner.js';
import { Settlement } from './settlement.js';

@Module({ providers: [RuntimeLearner, Settlement], exports: [Settlement] })
export class SettlementModule {}
