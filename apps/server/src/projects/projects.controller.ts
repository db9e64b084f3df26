import {
  type CreateProject,
  createProjectSchema,
  type IdParams,
  idParamsSchema,
  type Page,
  type PatchProject,
  type ProjectImpact,
  type ProjectQuery,
  type ProjectView,
  patchProjectSchema,
  projectQuerySchema,
  type RemoveProjectQuery,
  removeProjectQuerySchema,
} from '@medley/contracts';
import { Body, Controller, Inject, Param, Query } from '@nestjs/common';
import { inProjectOf, inVisibleProjects, onPlatform, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { type Idempotency, IdempotencyKey } from '../rest/idempotency.js';
import { Route } from '../rest/route.decorator.js';
import { ProjectsService } from './projects.service.js';

@Controller()
export class ProjectsController {
  constructor(@Inject(ProjectsService) private readonly projects: ProjectsService) {}

  @Route('listProjects')
  @RequirePermission('project:read', inVisibleProjects)
  list(@CurrentCaller() caller: Caller, @Query({ schema: projectQuerySchema }) query: ProjectQuery): Promise<Page<ProjectView>> {
    return this.projects.list(caller, query);
  }

  @Route('createProject')
  @RequirePermission('project:write', onPlatform)
  create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: createProjectSchema }) body: CreateProject,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<ProjectView> {
    return this.projects.create(caller, body, idempotency);
  }

  @Route('getProject')
  @RequirePermission('project:read', inProjectOf('project'))
  get(@CurrentCaller() caller: Caller, @Param({ schema: idParamsSchema }) { id }: IdParams): Promise<ProjectView> {
    return this.projects.get(caller, id);
  }

  @Route('patchProject')
  @RequirePermission('project:write', inProjectOf('project'))
  rename(
    @CurrentCaller() caller: Caller,
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: patchProjectSchema }) body: PatchProject,
  ): Promise<ProjectView> {
    return this.projects.rename(caller, id, body);
  }

  @Route('getProjectImpact')
  @RequirePermission('project:read', inProjectOf('project'))
  impact(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<ProjectImpact> {
    return this.projects.impact(id);
  }

  @Route('removeProject')
  @RequirePermission('project:write', inProjectOf('project'))
  remove(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: removeProjectQuerySchema }) { withRuns }: RemoveProjectQuery,
  ): Promise<ProjectImpact> {
    return this.projects.remove(id, withRuns);
  }
}
