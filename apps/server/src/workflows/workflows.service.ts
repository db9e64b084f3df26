import type {
  ApplyAnswer,
  Page,
  PageQuery,
  WorkflowDag,
  WorkflowDocument,
  WorkflowListItem,
  WorkflowQuery,
  WorkflowValidation,
  WorkflowVersionItem,
  WorkflowVersionView,
  WorkflowView,
} from '@medley/contracts';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { VisibleProjects } from '../access/caller.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';
import { WakeBus } from '../wake/wake-bus.js';
import { type AppliedWorkflow, type ApplyOrder, applyWorkflow } from './apply-workflow.js';
import { readDocument, requireDocument } from './read-document.js';
import { workflowDagOf } from './workflow-dag.js';
import { getSpec, getVersion, getWorkflowItem, listVersions, listWorkflows } from './workflows.repository.js';

@Injectable()
export class WorkflowsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  list(query: WorkflowQuery, projects: VisibleProjects): Promise<Page<WorkflowListItem>> {
    return listWorkflows(this.sql, query, projects);
  }

  async get(id: string): Promise<WorkflowView> {
    const [item, version] = await Promise.all([getWorkflowItem(this.sql, id), getVersion(this.sql, id, null)]);
    return { ...item, version };
  }

  versions(id: string, query: PageQuery): Promise<Page<WorkflowVersionItem>> {
    return listVersions(this.sql, id, query);
  }

  version(id: string, version: number): Promise<WorkflowVersionView> {
    return getVersion(this.sql, id, version);
  }

  async dag(id: string, version: number | null): Promise<WorkflowDag> {
    return workflowDagOf(await getSpec(this.sql, id, version));
  }

  /** Every fault at once; a definition without any comes with its graph. */
  async validate(document: WorkflowDocument): Promise<WorkflowValidation> {
    const reading = await readDocument(this.sql, document);
    if (!reading.ok) return { valid: false, errors: reading.errors, summary: null, dag: null };
    const { spec } = reading.workflow;
    const schedules = spec.schedules.map((schedule) => schedule.name);
    const summary = { project: spec.project, workflow: spec.workflow, taskCount: spec.tasks.length, schedules };
    return { valid: true, errors: [], summary, dag: workflowDagOf(spec) };
  }

  async apply(document: WorkflowDocument, order: ApplyOrder, idempotency: Idempotency | null): Promise<ApplyAnswer> {
    const workflow = await requireDocument(this.sql, document);
    const applied = await inTransaction(this.source, (sql) => onceByKey(sql, idempotency, () => applyWorkflow(sql, workflow, order)));
    this.announce(applied);
    return applied.answer;
  }

  private announce({ answer, projectId, scheduleIds }: AppliedWorkflow): void {
    if (answer.dryRun || !answer.changed || answer.workflowId === null || projectId === null) return;
    if (scheduleIds.length > 0) {
      this.wakeBus.fire();
      this.wakeBus.upstream();
    }
    this.wakeBus.changed([
      { entity: 'workflow', id: answer.workflowId, projectId },
      ...scheduleIds.map((id) => ({ entity: 'schedule' as const, id, projectId })),
    ]);
  }
}
