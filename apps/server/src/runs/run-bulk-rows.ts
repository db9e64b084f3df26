import type { RunBulk, RunBulkAction, RunBulkScope } from '@medley/contracts';
import { type AppError, type RunState, runStates, runStatesAccepting, terminalRunStates } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import type { Caller, VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { allConditions, type RunConditions, whereOf } from './run-filter.js';

const MOST_REASONS = 100;
const ENDED_SHOWN = 5;

/** States of runs that an action applies to. */
export function statesFor(action: RunBulkAction): readonly RunState[] {
  if (action === 'cancel') return runStatesAccepting('cancel');
  return runStates.filter((state) => terminalRunStates.has(state) && (action === 'rerun-all' || state !== 'succeeded'));
}

function conditionsOf({ action, filter, ids }: RunBulkScope, projects: VisibleProjects): RunConditions {
  const allowed = statesFor(action);
  const wanted = filter?.state?.length ? allowed.filter((state) => filter.state!.includes(state)) : allowed;
  const found = allConditions({ ...filter, state: [...wanted] }, projects);
  // An empty list of states is one that nothing is in, not one that anything is in.
  if (wanted.length === 0) found.conditions.push('false');
  if (ids) found.conditions.push(`r.id = any($${found.values.push(ids)})`);
  return found;
}

/** Of the runs that the action applies to, ids of the newest, at most `most`. */
export async function findForBulk(sql: Sql, scope: RunBulkScope, projects: VisibleProjects, most: number): Promise<string[]> {
  const { conditions, values } = conditionsOf(scope, projects);
  const rows = await sql.query<{ id: string }>(
    `select r.id from runs r ${whereOf(conditions)} order by r.id desc limit $${values.push(most)}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** How many there are in each of some projects. */
export async function countByProject(
  sql: Sql,
  scope: RunBulkScope,
  projects: VisibleProjects,
  most: number,
): Promise<{ projectId: string; project: string; count: number }[]> {
  const { conditions, values } = conditionsOf(scope, projects);
  return sql.query(
    `select p.id as "projectId", p.name as project, f.count from (
       select project_id, count(*)::int as count from (select r.project_id from runs r ${whereOf(conditions)} limit $${values.push(most)}) r group by project_id
     ) f join projects p on p.id = f.project_id order by p.name`,
    values,
  );
}

const columns = `id, action, cardinality(run_ids) as total, done, succeeded, done - succeeded as skipped, reasons, created_at as "createdAt", finished_at as "finishedAt",
  stopped_at is not null as stopped`;

export async function insertBulk(sql: Sql, caller: Caller, action: RunBulkAction, runIds: readonly string[]): Promise<RunBulk> {
  const tokenId = caller.via === 'token' ? caller.credentialId : null;
  const [row] = await sql.query<object>(
    `insert into run_bulks (id, user_id, token_id, action, run_ids) values ($1, $2, $3, $4, $5) returning ${columns}`,
    [uuidv7(), caller.userId, tokenId, action, runIds],
  );
  return answerRow<RunBulk>(row!);
}

export async function readBulk(sql: Sql, userId: string, id: string): Promise<RunBulk | null> {
  const [row] = await sql.query<object>(`select ${columns} from run_bulks where id = $1 and user_id = $2`, [id, userId]);
  return row ? answerRow<RunBulk>(row) : null;
}

/** What is under way, and the last that ended. */
export async function readBulks(sql: Sql, userId: string): Promise<RunBulk[]> {
  const rows = await sql.query<object>(
    `select ${columns} from run_bulks where user_id = $1 and (finished_at is null or id in (
       select id from run_bulks where user_id = $1 and finished_at is not null order by id desc limit ${ENDED_SHOWN})) order by id desc`,
    [userId],
  );
  return rows.map((row) => answerRow<RunBulk>(row));
}

/** What is done stays done; the rest is left as it is. Ending twice changes nothing. */
export async function stopBulk(sql: Sql, userId: string, id: string): Promise<void> {
  await sql.query(
    'update run_bulks set stopped_at = clock_timestamp(), finished_at = clock_timestamp() where id = $1 and user_id = $2 and finished_at is null',
    [id, userId],
  );
}

export interface BulkStep {
  bulkId: string;
  userId: string;
  /** Of the API token that it was started with; null for a session, which may end before what it began. */
  tokenId: string | null;
  action: RunBulkAction;
  runId: string;
}

/** The next run of some action that no server is at work on; its row stays locked, so that every run has its turn once. */
export async function claimStep(sql: Sql): Promise<BulkStep | null> {
  const [row] = await sql.query<BulkStep>(
    'select id as "bulkId", user_id as "userId", token_id as "tokenId", action, run_ids[done + 1] as "runId" from run_bulks where finished_at is null order by id limit 1 for update skip locked',
  );
  return row ?? null;
}

/** Writes how a step went; the last one ends the action. */
export async function endStep(sql: Sql, { bulkId, runId }: BulkStep, skipped: AppError | null): Promise<void> {
  const reason = skipped
    ? [{ runId, code: skipped.code, text: skipped.detail, ...(skipped.phrase && { explanation: skipped.phrase }) }]
    : [];
  await sql.query(
    `update run_bulks set done = done + 1, succeeded = succeeded + $2,
       reasons = case when jsonb_array_length(reasons) < ${MOST_REASONS} then reasons || $3::jsonb else reasons end,
       finished_at = case when done + 1 >= cardinality(run_ids) then clock_timestamp() end where id = $1`,
    [bulkId, skipped ? 0 : 1, JSON.stringify(reason)],
  );
}
