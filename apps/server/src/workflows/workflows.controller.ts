import {
  type ApplyAnswer,
  type ApplyQuery,
  applyQuerySchema,
  type DagQuery,
  dagQuerySchema,
  type IdParams,
  idParamsSchema,
  type Page,
  type PageQuery,
  pageQuerySchema,
  type WorkflowDag,
  type WorkflowDocument,
  type WorkflowListItem,
  type WorkflowQuery,
  type WorkflowValidation,
  type WorkflowVersionItem,
  type WorkflowVersionView,
  type WorkflowView,
  workflowDocumentSchema,
  workflowQuerySchema,
  workflowVersionParamsSchema,
} from '@medley/contracts';
import { Body, Controller, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { inProjectOf, inProjectOfDocument, inVisibleProjects, onPlatform, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller, visibleProjects } from '../access/caller.js';
import { type Idempotency, IdempotencyKey } from '../rest/idempotency.js';
import { Route } from '../rest/route.decorator.js';
import { WorkflowsService } from './workflows.service.js';

@Controller()
export class WorkflowsController {
  constructor(@Inject(WorkflowsService) private readonly workflows: WorkflowsService) {}

  @Route('listWorkflows')
  @RequirePermission('workflow:read', inVisibleProjects)
  list(@CurrentCaller() caller: Caller, @Query({ schema: workflowQuerySchema }) query: WorkflowQuery): Promise<Page<WorkflowListItem>> {
    return this.workflows.list(query, visibleProjects(caller, 'workflow:read', query.projectId));
  }

  @Route('getWorkflow')
  @RequirePermission('workflow:read', inProjectOf('workflow'))
  async get(@Param({ schema: idParamsSchema }) { id }: IdParams, @Res({ passthrough: true }) reply: FastifyReply): Promise<WorkflowView> {
    const workflow = await this.workflows.get(id);
    reply.header('etag', `"${workflow.version.checksum}"`);
    return workflow;
  }

  @Route('listWorkflowVersions')
  @RequirePermission('workflow:read', inProjectOf('workflow'))
  versions(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<Page<WorkflowVersionItem>> {
    return this.workflows.versions(id, query);
  }

  @Route('getWorkflowVersion')
  @RequirePermission('workflow:read', inProjectOf('workflow'))
  async version(
    @Param({ schema: workflowVersionParamsSchema }) { id, version }: { id: string; version: number },
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WorkflowVersionView> {
    const view = await this.workflows.version(id, version);
    reply.header('etag', `"${view.checksum}"`);
    return view;
  }

  @Route('getWorkflowDag')
  @RequirePermission('workflow:read', inProjectOf('workflow'))
  dag(@Param({ schema: idParamsSchema }) { id }: IdParams, @Query({ schema: dagQuerySchema }) query: DagQuery): Promise<WorkflowDag> {
    return this.workflows.dag(id, query.version ?? null);
  }

  @Route('validateWorkflow')
  @RequirePermission('definition:check', onPlatform)
  validate(@Body({ schema: workflowDocumentSchema }) body: WorkflowDocument): Promise<WorkflowValidation> {
    return this.workflows.validate(body);
  }

  @Route('applyWorkflow')
  @RequirePermission('workflow:write', inProjectOfDocument)
  apply(
    @Query({ schema: applyQuerySchema }) query: ApplyQuery,
    @Body({ schema: workflowDocumentSchema }) body: WorkflowDocument,
    @Headers('if-match') ifMatch: string | undefined,
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<ApplyAnswer> {
    return this.workflows.apply(body, { ...query, caller, expectedChecksum: checksumIn(ifMatch) }, idempotency);
  }
}

/** `If-Match: "checksum"`; `*` asks for nothing in particular. */
function checksumIn(ifMatch: string | undefined): string | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  return ifMatch.trim().replace(/^W\//, '').replaceAll('"', '');
}
