import { Global, Module } from '@nestjs/common';
import { MetricsController } from './metrics.controller.js';
import { createMetrics, METRICS } from './metrics.js';

@Global()
@Module({
  controllers: [MetricsController],
  providers: [{ provide: METRICS, useFactory: createMetrics }],
  exports: [METRICS],
})
export class MetricsModule {}
