import {
  type ApiToken,
  type CreateApiToken,
  type CreatedApiToken,
  createApiTokenSchema,
  type IdParams,
  idParamsSchema,
  type OwnedApiToken,
  type OwnedTokenQuery,
  ownedTokenQuerySchema,
  type Page,
  type TokenQuery,
  tokenQuerySchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { type Idempotency, IdempotencyKey } from '../../rest/idempotency.js';
import { Route } from '../../rest/route.decorator.js';
import { onPlatform, RequirePermission } from '../access-rule.js';
import { type Caller, CurrentCaller } from '../caller.js';
import { ApiTokensService } from './api-tokens.service.js';

@Controller()
export class ApiTokensController {
  constructor(@Inject(ApiTokensService) private readonly tokens: ApiTokensService) {}

  @Route('listTokens')
  @RequirePermission('self:read', onPlatform)
  list(@CurrentCaller() caller: Caller, @Query({ schema: tokenQuerySchema }) query: TokenQuery): Promise<Page<ApiToken>> {
    return this.tokens.list(caller, query);
  }

  @Route('createToken')
  @RequirePermission('self:write', onPlatform)
  create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: createApiTokenSchema }) body: CreateApiToken,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<CreatedApiToken> {
    return this.tokens.create(caller, body, idempotency);
  }

  @Route('revokeToken')
  @RequirePermission('self:write', onPlatform)
  revoke(@CurrentCaller() caller: Caller, @Param({ schema: idParamsSchema }) { id }: IdParams): Promise<void> {
    return this.tokens.revoke(caller, id);
  }

  @Route('listAllTokens')
  @RequirePermission('user:read', onPlatform)
  listAll(@Query({ schema: ownedTokenQuerySchema }) query: OwnedTokenQuery): Promise<Page<OwnedApiToken>> {
    return this.tokens.listAll(query);
  }

  @Route('revokeAnyToken')
  @RequirePermission('user:write', onPlatform)
  revokeAny(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<void> {
    return this.tokens.revokeAny(id);
  }
}
