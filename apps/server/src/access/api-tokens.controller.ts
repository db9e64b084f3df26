import {
  type ApiToken,
  type CreateApiToken,
  type CreatedApiToken,
  createApiTokenSchema,
  type IdParams,
  idParamsSchema,
  type Page,
  type PageQuery,
  pageQuerySchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { type Idempotency, IdempotencyKey } from '../rest/idempotency.js';
import { Route } from '../rest/route.decorator.js';
import { RequirePermission } from './access-rule.js';
import { ApiTokensService } from './api-tokens.service.js';
import { type Caller, CurrentCaller } from './caller.js';

@Controller()
export class ApiTokensController {
  constructor(@Inject(ApiTokensService) private readonly tokens: ApiTokensService) {}

  @Route('listTokens')
  @RequirePermission('self:read')
  list(@CurrentCaller() caller: Caller, @Query({ schema: pageQuerySchema }) query: PageQuery): Promise<Page<ApiToken>> {
    return this.tokens.list(caller, query);
  }

  @Route('createToken')
  @RequirePermission('access:admin')
  create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: createApiTokenSchema }) body: CreateApiToken,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<CreatedApiToken> {
    return this.tokens.create(caller, body, idempotency);
  }

  @Route('revokeToken')
  @RequirePermission('access:admin')
  revoke(@CurrentCaller() caller: Caller, @Param({ schema: idParamsSchema }) { id }: IdParams): Promise<void> {
    return this.tokens.revoke(caller, id);
  }
}
