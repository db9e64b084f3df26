import type { AttemptWork, TaskSpec, WorkingFiles } from '@medley/contracts';
import { type ExpressionContext, type Outputs, renderText, scheduleValues } from '@medley/core';
import type { GrantedRow } from './grant-claims.js';

const GRACE_SECONDS = 10;
const LOG_CAP_BYTES = 16 * 1024 * 1024;

/** The specification that a granted claim delivers, its values rendered. Throws an AppError when one cannot be rendered. */
export function workOf(
  row: GrantedRow,
  task: TaskSpec,
  named: Pick<ExpressionContext, 'tasks' | 'variables' | 'secrets'>,
  previous: Outputs = {},
  files?: WorkingFiles,
): AttemptWork {
  const context: ExpressionContext = {
    parameters: row.parameters,
    run: { id: row.run_id, workflow: row.workflow },
    task: { key: row.task_key },
    ...named,
    ...(task.map && row.item >= 0 ? { map: { [task.map.as]: row.item_value, index: row.item } } : {}),
    ...(task.loop && row.item >= 0 ? { loop: { index: row.item, previous } } : {}),
    schedule: row.fire_at && row.zone ? scheduleValues(row.fire_at, row.zone) : null,
  };
  const render = (text: string) => renderText(text, context);
  const renderAll = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, render(value)]));
  const http = task.http && {
    ...task.http,
    url: render(task.http.url),
    headers: renderAll(task.http.headers),
    body: task.http.body === null ? null : render(task.http.body),
    outputs: task.outputs ?? {},
  };
  const secrets = Object.values(named.secrets ?? {});
  return {
    runId: row.run_id,
    project: row.project,
    workflow: row.workflow,
    taskKey: row.task_key,
    attemptNumber: row.tries + 1,
    kind: task.kind as AttemptWork['kind'], // what holds no slot is never claimed
    script: task.script,
    http,
    env: renderAll(task.env),
    ...(secrets.length > 0 ? { secrets } : {}),
    resources: task.resources,
    timeoutSeconds: task.timeoutSeconds,
    graceSeconds: GRACE_SECONDS,
    onLeaseLost: task.onLeaseLost,
    logCapBytes: LOG_CAP_BYTES,
    ...(files === undefined ? {} : { files }),
  };
}
