import {
  type ChangeNodes,
  changeNodesSchema,
  type IdParams,
  idParamsSchema,
  type NodeListItem,
  type NodeLoadHistory,
  type NodeQuery,
  type NodesChange,
  type NodeView,
  nodeQuerySchema,
  type Page,
  type PatchNode,
  patchNodeSchema,
  type RangeQuery,
  rangeQuerySchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { onPlatform, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller, visibleProjects } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { NodesService } from './nodes.service.js';

@Controller()
export class NodesController {
  constructor(@Inject(NodesService) private readonly nodes: NodesService) {}

  @Route('listNodes')
  @RequirePermission('node:read', onPlatform)
  list(@Query({ schema: nodeQuerySchema }) query: NodeQuery): Promise<Page<NodeListItem>> {
    return this.nodes.list(query);
  }

  @Route('getNode')
  @RequirePermission('node:read', onPlatform)
  get(@CurrentCaller() caller: Caller, @Param({ schema: idParamsSchema }) { id }: IdParams): Promise<NodeView> {
    return this.nodes.get(id, visibleProjects(caller, 'run:read'));
  }

  @Route('patchNode')
  @RequirePermission('node:write', onPlatform)
  patch(
    @CurrentCaller() caller: Caller,
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: patchNodeSchema }) body: PatchNode,
  ): Promise<NodeView> {
    return this.nodes.patch(id, body, { by: caller.displayName || caller.name, projects: visibleProjects(caller, 'run:read') });
  }

  @Route('changeNodes')
  @RequirePermission('node:write', onPlatform)
  changeMany(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Body({ schema: changeNodesSchema }) body: ChangeNodes,
  ): Promise<NodesChange> {
    return this.nodes.changeMany(body, { ...caller, requestId: String(request.id) });
  }

  @Route('getNodeLoad')
  @RequirePermission('node:read', onPlatform)
  load(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: rangeQuerySchema }) range: RangeQuery,
  ): Promise<NodeLoadHistory> {
    return this.nodes.loadOf(id, range);
  }

  @Route('removeNode')
  @RequirePermission('node:write', onPlatform)
  remove(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<void> {
    return this.nodes.remove(id);
  }
}
