import { type CreateProject, createProjectSchema, type Page, type PageQuery, type ProjectView, pageQuerySchema } from '@medley/contracts';
import { Body, Controller, Inject, Query } from '@nestjs/common';
import { RequirePermission } from '../access/access-rule.js';
import { type Idempotency, IdempotencyKey } from '../rest/idempotency.js';
import { Route } from '../rest/route.decorator.js';
import { ProjectsService } from './projects.service.js';

@Controller()
export class ProjectsController {
  constructor(@Inject(ProjectsService) private readonly projects: ProjectsService) {}

  @Route('listProjects')
  @RequirePermission('project:read')
  list(@Query({ schema: pageQuerySchema }) query: PageQuery): Promise<Page<ProjectView>> {
    return this.projects.list(query);
  }

  @Route('createProject')
  @RequirePermission('project:admin')
  create(
    @Body({ schema: createProjectSchema }) body: CreateProject,
    @IdempotencyKey() idempotency: Idempotency | null,
  ): Promise<ProjectView> {
    return this.projects.create(body, idempotency);
  }
}
