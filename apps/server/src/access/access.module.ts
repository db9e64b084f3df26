import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { GroupsController } from './groups/groups.controller.js';
import { GroupsService } from './groups/groups.service.js';
import { AccessGuard } from './guard/access.guard.js';
import { AgentLookup } from './guard/agent-lookup.js';
import { CallerIdentification } from './guard/caller-identification.js';
import { CallerLookup } from './guard/caller-lookup.js';
import { ProjectLookup } from './guard/project-lookup.js';
import { OwnPasswordService } from './passwords/own-password.service.js';
import { MembersController } from './roles/members.controller.js';
import { MembersService } from './roles/members.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { ExternalSignIn } from './sign-in/external-sign-in.service.js';
import { MeService } from './sign-in/me.service.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { ApiTokensController } from './tokens/api-tokens.controller.js';
import { ApiTokensService } from './tokens/api-tokens.service.js';
import { JoinTokensController } from './tokens/join-tokens.controller.js';
import { JoinTokensService } from './tokens/join-tokens.service.js';
import { UsersController } from './users/users.controller.js';
import { UsersService } from './users/users.service.js';

@Global()
@Module({
  controllers: [
    SignInController,
    SessionsController,
    UsersController,
    GroupsController,
    MembersController,
    ApiTokensController,
    JoinTokensController,
  ],
  providers: [
    CallerLookup,
    CallerIdentification,
    AgentLookup,
    ProjectLookup,
    SignInService,
    ExternalSignIn,
    MeService,
    OwnPasswordService,
    SessionsService,
    UsersService,
    GroupsService,
    MembersService,
    ApiTokensService,
    JoinTokensService,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AgentLookup, CallerIdentification, ExternalSignIn, SignInService],
})
export class AccessModule {}
