import {
  type IdParams,
  idParamsSchema,
  type Page,
  type PutVariable,
  putVariableSchema,
  type VariableParams,
  type VariableQuery,
  type VariableUses,
  type VariableView,
  variableParamsSchema,
  variableQuerySchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { inProjectOf, RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { VariablesService } from './variables.service.js';

@Controller()
export class VariablesController {
  constructor(@Inject(VariablesService) private readonly variables: VariablesService) {}

  @Route('listVariables')
  @RequirePermission('variable:read', inProjectOf('project'))
  list(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: variableQuerySchema }) query: VariableQuery,
  ): Promise<Page<VariableView>> {
    return this.variables.list(id, query);
  }

  @Route('putVariable')
  @RequirePermission('variable:write', inProjectOf('project'))
  put(
    @Param({ schema: variableParamsSchema }) { id, name }: VariableParams,
    @Body({ schema: putVariableSchema }) body: PutVariable,
  ): Promise<VariableView> {
    return this.variables.put(id, name, body);
  }

  @Route('getVariableUses')
  @RequirePermission('variable:read', inProjectOf('project'))
  uses(@Param({ schema: variableParamsSchema }) { id, name }: VariableParams): Promise<VariableUses> {
    return this.variables.uses(id, name);
  }

  @Route('removeVariable')
  @RequirePermission('variable:write', inProjectOf('project'))
  remove(@Param({ schema: variableParamsSchema }) { id, name }: VariableParams): Promise<void> {
    return this.variables.remove(id, name);
  }
}
