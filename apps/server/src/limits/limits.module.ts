import { Module } from '@nestjs/common';
import { LimitsController } from './limits.controller.js';
import { LimitsService } from './limits.service.js';
import { QuotasController } from './quotas.controller.js';
import { QuotasService } from './quotas.service.js';

@Module({ controllers: [LimitsController, QuotasController], providers: [LimitsService, QuotasService] })
export class LimitsModule {}
