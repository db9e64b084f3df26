import { createHash } from 'node:crypto';
import type { ApplyAnswer, ApplyChange, ApplyQuery, WorkflowDefinition } from '@medley/contracts';
import { AppError, decideOnPlatform, phrase } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import { type Caller, requireInProject } from '../access/caller.js';
import { findProjectByName, insertProject } from '../projects/projects.repository.js';
import { type Callee, findCallees, requireNesting, writeCalls } from '../sub-workflows/workflow-calls.js';
import { planSchedules, writeSchedules } from './apply-schedules.js';
import type { ReadWorkflow } from './read-document.js';
import { requireCalendars } from './require-calendars.js';
import { requireUpstreams } from './require-upstreams.js';
import { change, diffDefinitions } from './workflow-diff.js';

export interface ApplyOrder extends ApplyQuery {
  caller: Caller;
  /** The checksum the caller believes to be the latest version's, from If-Match. */
  expectedChecksum: string | null;
}

export interface AppliedWorkflow {
  answer: ApplyAnswer;
  projectId: string | null;
  scheduleIds: string[];
}

interface StoredWorkflow {
  id: string;
  latest_version: number;
  checksum: string;
  definition: WorkflowDefinition;
}

/**
 * Brings a workflow and its schedules to what the file says; the same file again changes nothing. A dry run tells the same difference and writes nothing.
 * Two callers that apply to one workflow do so one after the other.
 */
export async function applyWorkflow(sql: Sql, workflow: ReadWorkflow, order: ApplyOrder): Promise<AppliedWorkflow> {
  const { spec, definition } = workflow;
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`apply ${spec.project}/${spec.workflow}`]);
  const project = await findAllowedProject(sql, spec.project, order.caller);
  const stored = project ? await readStored(sql, project.id, spec.workflow) : null;
  requireExpected(stored, order.expectedChecksum);
  const checksum = checksumOf(definition);
  const isNewVersion = stored?.checksum !== checksum;
  const calendars = await requireCalendars(sql, project?.id ?? null, spec.schedules);
  const upstreams = await requireUpstreams(sql, { workflowId: stored?.id ?? null, spec }, order.caller);
  const callees = project && isNewVersion ? await findCallees(sql, project.id, spec) : [];
  if (project) await requireNesting(sql, project.id, stored?.id ?? null, spec, callees);
  const planned = await planSchedules(sql, stored?.id ?? null, spec.schedules, upstreams, order.prune);
  const changes: ApplyChange[] = [
    ...(project ? [] : [change('project', spec.project, 'create')]),
    ...diffDefinitions(stored?.definition ?? null, definition),
    ...planned.map((schedule) => schedule.change),
  ];
  const changed = isNewVersion || changes.some(({ action }) => action !== 'unchanged' && action !== 'left');
  const version = (stored?.latest_version ?? 0) + (isNewVersion ? 1 : 0);
  const answer = { project: spec.project, workflow: spec.workflow, version, changed, dryRun: order.dryRun, changes };
  if (order.dryRun) return { answer: { workflowId: stored?.id ?? null, ...answer }, projectId: project?.id ?? null, scheduleIds: [] };
  const projectId = project?.id ?? (await insertProject(sql, spec.project)).id;
  const workflowId = stored?.id ?? uuidv7();
  if (isNewVersion)
    await writeVersion(
      sql,
      { projectId, workflowId, version, checksum, isNew: !stored, createdBy: order.caller.userId, callees },
      workflow,
    );
  const scheduleIds = await writeSchedules(sql, { projectId, workflowId, calendars, upstreams }, planned);
  return { answer: { workflowId, ...answer }, projectId, scheduleIds };
}

/** Of the definition, not of its text: comments and layout do not make a version. */
export function checksumOf(definition: WorkflowDefinition): string {
  return createHash('sha256').update(JSON.stringify(definition)).digest('hex');
}

/** Null when the file is to create the project. One that the caller may not see answers as one that is not there. */
async function findAllowedProject(sql: Sql, name: string, caller: Caller): Promise<{ id: string } | null> {
  const project = await findProjectByName(sql, name);
  const missing = phrase('no-project-to-see', { name });
  if (project) requireInProject(caller, 'workflow:write', project.id, missing);
  else if (!decideOnPlatform(caller, 'project:write').allowed) throw new AppError('not-found', missing);
  return project;
}

async function readStored(sql: Sql, projectId: string, name: string): Promise<StoredWorkflow | null> {
  const [row] = await sql.query<StoredWorkflow>(
    `select w.id, w.latest_version, v.checksum, v.definition
     from workflows w join workflow_versions v on v.workflow_id = w.id and v.version = w.latest_version where w.project_id = $1 and w.name = $2`,
    [projectId, name],
  );
  return row ?? null;
}

function requireExpected(stored: StoredWorkflow | null, expected: string | null): void {
  if (expected === null || stored?.checksum === expected) return;
  throw new AppError('stale-version', stored ? phrase('newer-version', { version: stored.latest_version }) : phrase('workflow-gone'));
}

interface NewVersion {
  projectId: string;
  workflowId: string;
  version: number;
  checksum: string;
  isNew: boolean;
  createdBy: string;
  callees: readonly Callee[];
}

async function writeVersion(sql: Sql, next: NewVersion, { definition, spec, source }: ReadWorkflow): Promise<void> {
  if (next.isNew) {
    await sql.query('insert into workflows (id, project_id, name, description, latest_version) values ($1, $2, $3, $4, $5)', [
      next.workflowId,
      next.projectId,
      spec.workflow,
      spec.description,
      next.version,
    ]);
  }
  await sql.query(
    `insert into workflow_versions (workflow_id, version, definition, spec, source, checksum, created_by) values ($1, $2, $3, $4, $5, $6, $7)`,
    [next.workflowId, next.version, JSON.stringify(definition), JSON.stringify(spec), source, next.checksum, next.createdBy],
  );
  await writeCalls(sql, next.workflowId, next.version, next.callees);
  await sql.query('update workflows set latest_version = $2, description = $3, updated_at = clock_timestamp() where id = $1', [
    next.workflowId,
    next.version,
    spec.description,
  ]);
}
