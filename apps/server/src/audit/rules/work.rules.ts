import { JOIN_ACTION } from '@medley/contracts';
import type { Sql } from '@medley/database';
import type { Answer, AuditedRequest, AuditedThing, AuditRule } from '../audit-rule.js';
import { inAnswer, inBulk, inPath, uuidIn } from '../audit-rule.js';

const schedule = `select id, name, project_id as "projectId", jsonb_build_object('name', name, 'kind', kind, 'cron', cron, 'rule', rule, 'zone', zone, 'calendar', (select c.name from calendars c where c.id = calendar_id), 'start', starts, 'end', ends, 'jitterSeconds', jitter_seconds,
  'overlap', overlap, 'parameters', parameters,
  'misfire', misfire, 'enabled', enabled) as state
from schedules where id = $1 and removed_at is null`;

const webhook = `select s.id, s.name, s.project_id as "projectId", jsonb_build_object('webhookAddress', h.address, 'secretCreatedAt', h.key_at,
  'previousUntil', h.previous_until) as state from schedules s left join webhooks h on h.schedule_id = s.id where s.id = $1 and s.removed_at is null`;

const run = `select r.id, w.name, r.project_id as "projectId", jsonb_build_object('workflow', w.name, 'state', r.state) as state
from runs r join workflows w on w.id = r.workflow_id where r.id = $1`;

/** A task run is told as its run, which people look for. */
const taskRun = `select r.id, w.name, r.project_id as "projectId", jsonb_build_object('workflow', w.name, 'task', t.task_key, 'taskState', t.state) as state
from task_runs t join runs r on r.id = t.run_id join workflows w on w.id = r.workflow_id where t.id = $1`;

const pool = `select id, name, null as "projectId", jsonb_build_object('name', name, 'policy', policy) as state
from pools where id = $1 and removed_at is null`;

const limit = `select l.id, l.name, l.project_id as "projectId", jsonb_build_object('name', l.name, 'kind', l.kind, 'description', l.description, 'slots', l.slots,
  'rateStarts', l.rate_starts, 'rateSeconds', l.rate_seconds) as state
from limits l where l.id = $1 and l.removed_at is null`;

const quota = `select p.id, p.name, p.id as "projectId", jsonb_build_object('cpuMillis', q.cpu_millis, 'memoryMib', q.memory_mib, 'gpuCount', q.gpu_count,
  'attempts', q.attempts) as state
from projects p left join project_quotas q on q.project_id = p.id where p.id = $1 and p.removed_at is null`;

const nodeColumns = `n.id, n.name, null as "projectId", jsonb_build_object('name', n.name, 'pool', p.name, 'labels', n.labels, 'cordoned', n.cordoned,
  'draining', n.draining, 'declaredSpeed', n.declared_speed, 'maxAttempts', n.max_attempts, 'capacityCap', n.capacity_cap) as state
from nodes n join pools p on p.id = n.pool_id`;
const node = `select ${nodeColumns} where n.id = $1 and n.removed_at is null`;
const nodeByName = `select ${nodeColumns} where n.name = $1 and n.removed_at is null`;

const appliedVersions = `select w.id, w.name, w.project_id as "projectId", v.version, v.definition
from workflows w join workflow_versions v on v.workflow_id = w.id where w.id = $1 and v.version in ($2, $2 - 1)`;

interface VersionRow {
  id: string;
  name: string;
  projectId: string;
  version: number;
  definition: object;
}

/** Versions are never changed, so that what was before can be read after. */
async function readApplied(sql: Sql, _: AuditedRequest, answer?: Answer): Promise<AuditedThing | null> {
  if (!answer?.workflowId) return null;
  const rows = await sql.query<VersionRow>(appliedVersions, [answer.workflowId, answer.version]);
  const row = rows.find(({ version }) => version === answer.version);
  if (!row) return null;
  const before = answer.changed ? rows.find((other) => other !== row) : row;
  return { id: row.id, name: row.name, projectId: row.projectId, state: stateOf(row), was: before ? stateOf(before) : null };
}

function stateOf({ version, definition }: VersionRow): AuditedThing['state'] {
  return { version, ...definition };
}

/** All that a started run is told by is in its answer, so that nothing has to be read. */
function tellRun({ body }: AuditedRequest, answer: Answer): Partial<AuditedThing> {
  const { id, workflow, workflowVersion, parameters, projectId } = answer;
  const { mode, tasks, descendants } = body;
  const asked = mode === undefined ? {} : tasks === undefined ? { mode } : { mode, tasks, descendants };
  return {
    id: id as string,
    name: workflow as string,
    projectId: projectId as string,
    state: { workflow, version: workflowVersion, parameters, ...asked },
  };
}

/** While its attempt is being stopped the state does not show yet what was decided. */
function tellMark({ body }: AuditedRequest, { key }: Answer): Partial<AuditedThing> {
  return { state: { task: key, markedAs: body.as, reason: body.reason } };
}

function tellDecision({ body }: AuditedRequest, { key }: Answer): Partial<AuditedThing> {
  return { state: { task: key, decision: body.decision, comment: body.comment } };
}

/** A machine that joins once more is the node of the same name. */
async function readJoined(sql: Sql, { body }: AuditedRequest): Promise<AuditedThing | null> {
  if (typeof body.name !== 'string') return null;
  const [thing] = await sql.query<AuditedThing>(nodeByName, [body.name]);
  return thing ?? null;
}

/** A backfill is told with its schedule: which fires, and of a cancelled one how far it was. */
function tellBackfill({ body }: AuditedRequest, answer: Answer): Partial<AuditedThing> {
  const {
    id,
    schedule: name,
    scheduleId,
    projectId,
    from,
    to,
    fires,
    direction,
    parallel,
    parameters,
    total,
    waiting,
    left,
    active,
  } = answer;
  const range = { from, to, fires, direction, parallel, parameters };
  const figures = { total, waiting, left, active, ...(body.runs === undefined ? {} : { runs: body.runs }) };
  return { id: scheduleId as string, name: name as string, projectId: projectId as string, state: { backfill: id, ...range, ...figures } };
}

const isDryRun = ({ query }: AuditedRequest) => query.dryRun !== undefined && !['false', '0'].includes(String(query.dryRun));

/** Addressed by its project and its name. */
async function readVariable(sql: Sql, { params: { id, name } }: AuditedRequest): Promise<AuditedThing | null> {
  const projectId = uuidIn(id);
  if (projectId === null || typeof name !== 'string') return null;
  const [row] = await sql.query<AuditedThing['state']>(
    'select name, value, description from project_variables where project_id = $1 and name = $2',
    [projectId, name],
  );
  return row ? { id: null, name, projectId, state: row } : null;
}

/** Addressed by its project and its name. */
async function readCalendar(sql: Sql, { params: { id, name } }: AuditedRequest): Promise<AuditedThing | null> {
  const projectId = uuidIn(id);
  if (projectId === null || typeof name !== 'string') return null;
  const [row] = await sql.query<AuditedThing['state'] & { id: string }>(
    'select name, description, weekend, excluded, working from calendars where project_id = $1 and name = $2',
    [projectId, name],
  );
  return row ? { id: null, name, projectId, state: row } : null;
}

/** Whether the value changed is told by the time; the value is in no event. */
async function readSecret(sql: Sql, { params: { id, name } }: AuditedRequest): Promise<AuditedThing | null> {
  const projectId = uuidIn(id);
  if (projectId === null || typeof name !== 'string') return null;
  const [row] = await sql.query<AuditedThing['state']>(
    'select name, description, updated_at as "updatedAt" from project_secrets where project_id = $1 and name = $2',
    [projectId, name],
  );
  return row ? { id: null, name, projectId, state: row } : null;
}

export const workRules = {
  putSecret: { entity: 'secret', read: readSecret },
  removeSecret: { entity: 'secret', read: readSecret },
  resealSecrets: { entity: 'secret', tell: (_, { resealed, unopened }) => ({ state: { resealed, unopened } }) },
  putCalendar: { entity: 'calendar', read: readCalendar },
  removeCalendar: { entity: 'calendar', read: readCalendar },
  putVariable: { entity: 'variable', read: readVariable },
  removeVariable: { entity: 'variable', read: readVariable },
  applyWorkflow: { entity: 'workflow', read: readApplied, isIdle: isDryRun },
  switchSchedules: inBulk('schedule'),
  patchSchedule: { entity: 'schedule', read: inPath(schedule) },
  rotateWebhookSecret: { entity: 'schedule', read: inPath(webhook) },
  startBackfill: { entity: 'schedule', tell: tellBackfill },
  cancelBackfill: { entity: 'schedule', tell: tellBackfill },
  startRun: { entity: 'run', tell: tellRun },
  rerun: { entity: 'run', tell: tellRun },
  cancelRun: { entity: 'run', read: inPath(run) },
  pauseRun: { entity: 'run', read: inPath(run) },
  resumeRun: { entity: 'run', read: inPath(run) },
  decideApproval: { entity: 'run', read: inPath(taskRun), tell: tellDecision },
  markTaskRun: { entity: 'run', read: inPath(taskRun), tell: tellMark },
  startRunBulk: inBulk('run'),
  stopRunBulk: { entity: 'run', tell: ({ params }, answer) => ({ state: { bulk: params.id, ...answer } }) },
  createPool: { entity: 'pool', read: inAnswer(pool) },
  patchPool: { entity: 'pool', read: inPath(pool) },
  removePool: { entity: 'pool', read: inPath(pool) },
  createPlatformLimit: { entity: 'limit', read: inAnswer(limit) },
  patchPlatformLimit: { entity: 'limit', read: inPath(limit) },
  removePlatformLimit: { entity: 'limit', read: inPath(limit) },
  createLimit: { entity: 'limit', read: inAnswer(limit) },
  patchLimit: { entity: 'limit', read: inPath(limit, 'limitId') },
  removeLimit: { entity: 'limit', read: inPath(limit, 'limitId') },
  putQuota: { entity: 'quota', read: inPath(quota) },
  changeNodes: inBulk('node'),
  patchNode: { entity: 'node', read: inPath(node) },
  removeNode: { entity: 'node', read: inPath(node) },
  [JOIN_ACTION]: { entity: 'node', read: readJoined },
} as const satisfies Record<string, AuditRule>;
