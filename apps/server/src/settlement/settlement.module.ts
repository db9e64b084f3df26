import { Module } from '@nestjs/common';
import { RuntimeLearner } from './runtime-learner.js';
import { Settlement } from './settlement.js';
import { WorkflowSpecs } from './workflow-specs.js';

@Module({
  providers: [{ provide: WorkflowSpecs, useFactory: () => new WorkflowSpecs() }, RuntimeLearner, Settlement],
  exports: [WorkflowSpecs, Settlement],
})
export class SettlementModule {}
