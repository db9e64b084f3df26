import {
  type IdParams,
  idParamsSchema,
  type Page,
  type PutSecret,
  putSecretSchema,
  type ResealAnswer,
  type SecretParams,
  type SecretQuery,
  type SecretView,
  secretParamsSchema,
  secretQuerySchema,
  type VariableUses,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { inProjectOf, onPlatform, RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { SecretsService } from './secrets.service.js';

@Controller()
export class SecretsController {
  constructor(@Inject(SecretsService) private readonly secrets: SecretsService) {}

  @Route('listSecrets')
  @RequirePermission('secret:read', inProjectOf('project'))
  list(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: secretQuerySchema }) query: SecretQuery,
  ): Promise<Page<SecretView>> {
    return this.secrets.list(id, query);
  }

  @Route('putSecret')
  @RequirePermission('secret:write', inProjectOf('project'))
  put(
    @Param({ schema: secretParamsSchema }) { id, name }: SecretParams,
    @Body({ schema: putSecretSchema }) body: PutSecret,
  ): Promise<SecretView> {
    return this.secrets.put(id, name, body);
  }

  @Route('getSecretUses')
  @RequirePermission('secret:read', inProjectOf('project'))
  uses(@Param({ schema: secretParamsSchema }) { id, name }: SecretParams): Promise<VariableUses> {
    return this.secrets.uses(id, name);
  }

  @Route('removeSecret')
  @RequirePermission('secret:write', inProjectOf('project'))
  remove(@Param({ schema: secretParamsSchema }) { id, name }: SecretParams): Promise<void> {
    return this.secrets.remove(id, name);
  }

  @Route('resealSecrets')
  @RequirePermission('secret-key:write', onPlatform)
  reseal(): Promise<ResealAnswer> {
    return this.secrets.reseal();
  }
}
