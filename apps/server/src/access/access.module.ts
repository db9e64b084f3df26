import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { AgentLookup } from './agent-lookup.js';
import { ApiTokensController } from './api-tokens.controller.js';
import { ApiTokensService } from './api-tokens.service.js';
import { CallerLookup } from './caller-lookup.js';
import { JoinTokensController } from './join-tokens.controller.js';
import { JoinTokensService } from './join-tokens.service.js';
import { SessionController } from './session.controller.js';
import { SessionService } from './session.service.js';

@Global()
@Module({
  controllers: [SessionController, ApiTokensController, JoinTokensController],
  providers: [
    CallerLookup,
    AgentLookup,
    SessionService,
    ApiTokensService,
    JoinTokensService,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AgentLookup],
})
export class AccessModule {}
