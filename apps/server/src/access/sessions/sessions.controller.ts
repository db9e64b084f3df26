import {
  type EndedCredentials,
  type IdParams,
  idParamsSchema,
  type OwnedSession,
  type OwnedSessionQuery,
  ownedSessionQuerySchema,
  type Page,
  type SessionQuery,
  type SessionView,
  sessionQuerySchema,
} from '@medley/contracts';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { Route } from '../../rest/route.decorator.js';
import { onPlatform, RequirePermission } from '../access-rule.js';
import { type Caller, CurrentCaller } from '../caller.js';
import { SessionsService } from './sessions.service.js';

@Controller()
export class SessionsController {
  constructor(@Inject(SessionsService) private readonly sessions: SessionsService) {}

  @Route('listOwnSessions')
  @RequirePermission('self:read', onPlatform)
  listOwn(@CurrentCaller() caller: Caller, @Query({ schema: sessionQuerySchema }) query: SessionQuery): Promise<Page<SessionView>> {
    return this.sessions.listOwn(caller, query);
  }

  @Route('endOwnSession')
  @RequirePermission('self:write', onPlatform)
  endOwn(@CurrentCaller() caller: Caller, @Param({ schema: idParamsSchema }) { id }: IdParams): Promise<void> {
    return this.sessions.endOwn(caller, id);
  }

  @Route('listSessions')
  @RequirePermission('user:read', onPlatform)
  listAll(
    @CurrentCaller() caller: Caller,
    @Query({ schema: ownedSessionQuerySchema }) query: OwnedSessionQuery,
  ): Promise<Page<OwnedSession>> {
    return this.sessions.listAll(caller, query);
  }

  @Route('endSession')
  @RequirePermission('user:write', onPlatform)
  end(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<void> {
    return this.sessions.end(id);
  }

  @Route('endUserSessions')
  @RequirePermission('user:write', onPlatform)
  endAllOf(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<EndedCredentials> {
    return this.sessions.endAllOf(id);
  }
}
