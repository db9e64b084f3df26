import { Module } from '@nestjs/common';
import { EventProjects } from './event-projects.js';
import { EventsController } from './events.controller.js';

@Module({ controllers: [EventsController], providers: [EventProjects] })
export class EventsModule {}
