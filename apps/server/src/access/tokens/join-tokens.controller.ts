import {
  type CreatedJoinToken,
  type CreateJoinToken,
  createJoinTokenSchema,
  type IdParams,
  idParamsSchema,
  type JoinToken,
  type JoinTokenQuery,
  joinTokenQuerySchema,
  type Page,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { type Idempotency, IdempotencyKey } from '../../rest/idempotency.js';
import { Route } from '../../rest/route.decorator.js';
import { onPlatform, RequirePermission } from '../access-rule.js';
import { type Caller, CurrentCaller } from '../caller.js';
import { JoinTokensService } from './join-tokens.service.js';

@Controller()
export class JoinTokensController {
  constructor(@Inject(JoinTokensService) private readonly tokens: JoinTokensService) {}

  @Route('listJoinTokens')
  @RequirePermission('join-token:read', onPlatform)
  list(@Query({ schema: joinTokenQuerySchema }) query: JoinTokenQuery): Promise<Page<JoinToken>> {
    return this.tokens.list(query);
  }

  @Route('createJoinToken')
  @RequirePermission('join-token:write', onPlatform)
  create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: createJoinTokenSchema }) body: CreateJoinToken,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<CreatedJoinToken> {
    return this.tokens.create(body, caller.userId, idempotency);
  }

  @Route('revokeJoinToken')
  @RequirePermission('join-token:write', onPlatform)
  revoke(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<void> {
    return this.tokens.revoke(id);
  }
}
