import {
  type IdParams,
  idParamsSchema,
  type Page,
  type RerunPreview,
  type RerunPreviewQuery,
  type RunAttempts,
  type RunEvent,
  type RunGrid,
  type RunGridQuery,
  type RunHistoryQuery,
  rerunPreviewQuerySchema,
  runGridQuerySchema,
  runHistoryQuerySchema,
  type WorkflowDag,
} from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inProjectOf, RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { WorkflowSpecs } from '../settlement/workflow-specs.js';
import { previewRerun } from './rerun-run.js';
import { getRunAttempts } from './run-attempts.js';
import { getRunDag } from './run-dag.js';
import { getRunGrid } from './run-grid.js';
import { getRunHistory } from './run-history.js';

/** What is read of runs beyond lists: nothing here changes anything. */
@Controller()
export class RunDetailController {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) source: DataSource,
    @Inject(WorkflowSpecs) private readonly specs: WorkflowSpecs,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  @Route('getRunGrid')
  @RequirePermission('run:read', inProjectOf('workflow'))
  grid(@Param({ schema: idParamsSchema }) { id }: IdParams, @Query({ schema: runGridQuerySchema }) query: RunGridQuery): Promise<RunGrid> {
    return getRunGrid(this.sql, id, query);
  }

  @Route('getRunDag')
  @RequirePermission('run:read', inProjectOf('run'))
  dag(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<WorkflowDag> {
    return getRunDag(this.sql, this.specs, id);
  }

  @Route('getRunAttempts')
  @RequirePermission('run:read', inProjectOf('run'))
  attempts(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<RunAttempts> {
    return getRunAttempts(this.sql, id);
  }

  @Route('getRunHistory')
  @RequirePermission('run:read', inProjectOf('run'))
  history(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: runHistoryQuerySchema }) query: RunHistoryQuery,
  ): Promise<Page<RunEvent>> {
    return getRunHistory(this.sql, id, query);
  }

  @Route('previewRerun')
  @RequirePermission('run:read', inProjectOf('run'))
  rerunPreview(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: rerunPreviewQuerySchema }) query: RerunPreviewQuery,
  ): Promise<RerunPreview> {
    return previewRerun(this.sql, this.specs, id, query);
  }
}
