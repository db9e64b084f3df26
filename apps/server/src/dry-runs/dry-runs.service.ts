import type { DryRun, DryRunFile, StartRun } from '@medley/contracts';
import { AppError, decideInProject, parseExpression, phrase } from '@medley/core';
import { type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller.js';
import { findProjectByName } from '../projects/projects.repository.js';
import { parametersOf, readLearnedSeconds, readPoolIds, requirePools } from '../runs/create-runs.js';
import { indexWorkflow, type LoadedWorkflow, WorkflowSpecs } from '../settlement/workflow-specs.js';
import { readVariables } from '../variables/variables.service.js';
import { requireDocument } from '../workflows/read-document.js';
import { planDryRun } from './plan-dry-run.js';
import { previewPlacements } from './preview-placements.js';

/** What a run would do if it were started now; reads only. */
@Injectable()
export class DryRunsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) source: DataSource,
    @Inject(WorkflowSpecs) private readonly specs: WorkflowSpecs,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Of the latest version, or the one that is asked for. Throws not-found, and what a start would throw. */
  async ofWorkflow(workflowId: string, { version, parameters }: StartRun, caller: Caller): Promise<DryRun> {
    const [row] = await this.sql.query<{ version: number }>(
      'select v.version from workflows w join workflow_versions v on v.workflow_id = w.id and v.version = coalesce($2, w.latest_version) where w.id = $1',
      [workflowId, version ?? null],
    );
    if (!row) throw new AppError('not-found', version ? phrase('no-such-version', { version }) : phrase('no-such-workflow'));
    const [workflow, learned] = await Promise.all([
      this.specs.load(this.sql, workflowId, row.version),
      readLearnedSeconds(this.sql, [workflowId]),
    ]);
    return { version: row.version, ...(await this.run(workflow, parameters, learned.get(workflowId) ?? new Map(), caller)) };
  }

  /** Of a definition that is stored nowhere, so that nothing is known of how long its tasks take. Throws workflow-invalid, and what a start would throw. */
  async ofFile({ definition, parameters }: DryRunFile, caller: Caller): Promise<DryRun> {
    const { spec } = await requireDocument(this.sql, definition);
    return { version: null, ...(await this.run(indexWorkflow(spec), parameters, new Map(), caller)) };
  }

  private async run(
    workflow: LoadedWorkflow,
    given: StartRun['parameters'],
    seconds: ReadonlyMap<string, number>,
    caller: Caller,
  ): Promise<Omit<DryRun, 'version'>> {
    const pools = await readPoolIds(this.sql);
    requirePools(workflow, pools);
    const parameters = parametersOf({ schedule: null, parameters: given }, workflow, uuidv7());
    const placements = await previewPlacements(this.sql, workflow, pools, seconds);
    const known = { context: { parameters, schedule: null }, variables: await this.variablesOf(workflow, caller) };
    const latest = await this.latestOf(workflow);
    const tasks = planDryRun(workflow, known, seconds, latest).map((task) => ({ ...task, placement: placements.get(task.key) ?? null }));
    return { project: workflow.spec.project, workflow: workflow.spec.workflow, parameters, tasks };
  }

  /** Those that its conditions name; null for a caller who may not read them, to whom no condition may tell of them either. */
  private async variablesOf({ spec }: LoadedWorkflow, caller: Caller): Promise<Record<string, string> | null> {
    const project = await findProjectByName(this.sql, spec.project);
    if (!project) return {};
    if (!decideInProject(caller, 'variable:read', project.id).allowed) return null;
    const sources = spec.tasks.flatMap(({ when, switch: choice }) => [when, choice?.on]).filter((source) => source !== undefined);
    const parsed = sources.flatMap((source) => {
      const reading = parseExpression(source);
      return reading.ok ? reading.expression.references : [];
    });
    const names = parsed.filter(({ path }) => path[0] === 'variables').map(({ path }) => path[1]!);
    return names.length === 0 ? {} : readVariables(this.sql, project.id, [...new Set(names)]);
  }

  /** Latest versions of the workflows that the tasks run, by name. */
  private async latestOf({ spec }: LoadedWorkflow): Promise<Map<string, number>> {
    const names = spec.tasks.flatMap(({ subWorkflow }) => subWorkflow?.workflow ?? []);
    if (names.length === 0) return new Map();
    const rows = await this.sql.query<{ name: string; version: number }>(
      `select w.name, w.latest_version as version from projects p join workflows w on w.project_id = p.id
       where p.name = $1 and p.removed_at is null and w.name = any($2)`,
      [spec.project, [...new Set(names)]],
    );
    return new Map(rows.map(({ name, version }) => [name, version]));
  }
}
