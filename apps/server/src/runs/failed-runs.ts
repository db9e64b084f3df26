import type { Reason } from '@medley/contracts';
import type { AppError } from '@medley/core';
import { type Sql, uuidv7 } from '@medley/database';
import type { CreatedRun, RunToCreate } from './create-runs.js';

const MOST_FAULTS = 10;

export interface RefusedRun {
  run: RunToCreate;
  error: AppError;
}

const insertStatement = `
insert into runs (id, project_id, workflow_id, workflow_version, state, trigger, schedule_id, fire_at, parameters, task_count, open_tasks, reason, finished_at, created_by, backfill_id)
select id, project_id, workflow_id, workflow_version, 'failed', trigger, schedule_id, fire_at, parameters, 0, 0, reason, clock_timestamp(), created_by, backfill_id
from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::uuid[], $6::timestamptz[], $7::jsonb[], $8::jsonb[], $9::text[], $10::uuid[], $11::uuid[])
  as r(id, project_id, workflow_id, workflow_version, schedule_id, fire_at, parameters, reason, trigger, created_by, backfill_id)
on conflict do nothing returning id, project_id as "projectId"`;

/** The refusal as the reason of a run; of its faults the first, as a person mends them one by one. */
function reasonOf({ code, detail, phrase, fields }: AppError): Reason {
  const faults = fields?.slice(0, MOST_FAULTS);
  return { code, text: detail, ...(phrase && { explanation: { ...phrase } }), ...(faults && { faults }) };
}

/** Stores fires of schedules and backfills that cannot become runs as runs that have failed before their first task, with the reason, so that nobody has to miss them. */
export async function storeFailedFires(sql: Sql, refused: readonly RefusedRun[]): Promise<CreatedRun[]> {
  if (refused.length === 0) return [];
  const column = <Value>(value: (each: RefusedRun) => Value) => refused.map(value);
  return sql.query<CreatedRun>(insertStatement, [
    column(() => uuidv7()),
    column(({ run }) => run.projectId),
    column(({ run }) => run.workflowId),
    column(({ run }) => run.workflowVersion),
    column(({ run }) => run.schedule?.id),
    column(({ run }) => run.schedule?.fireAt),
    column(({ run }) => JSON.stringify(run.parameters)),
    column(({ error }) => JSON.stringify(reasonOf(error))),
    column(({ run }) => run.trigger),
    column(({ run }) => run.createdBy ?? null),
    column(({ run }) => run.backfillId ?? null),
  ]);
}
