import { Module } from '@nestjs/common';
import { PlacementEngine } from '../placement-worker/placement-engine.js';
import { AttemptsController } from './attempts.controller.js';
import { AttemptsService } from './attempts.service.js';

@Module({ controllers: [AttemptsController], providers: [AttemptsService, PlacementEngine] })
export class AttemptsModule {}
