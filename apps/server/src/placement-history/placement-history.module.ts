import { Module } from '@nestjs/common';
import { PlacementHistoryController } from './placement-history.controller.js';
import { PlacementHistoryService } from './placement-history.service.js';

@Module({ controllers: [PlacementHistoryController], providers: [PlacementHistoryService] })
export class PlacementHistoryModule {}
