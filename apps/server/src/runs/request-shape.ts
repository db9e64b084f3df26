import { createHash } from 'node:crypto';
import type { TaskSpec } from '@medley/contracts';
import type { LimitTake, Resources } from '@medley/core';
import { roundTrip, type Sql } from '@medley/database';
import { namesOf } from '../settlement/task-names.js';

/** What a task asks of a node, and of limits; `project` for the sake of its quota, and so that the backlog of one project never hides another's. */
export interface ShapedRequest {
  resources: Resources;
  labels: string | null;
  runtime: string | null;
  /** It is given secrets. */
  secrets?: true;
  /** It keeps or fetches working files. */
  files?: true;
  project?: string;
  limits?: readonly LimitTake[];
}

/** Task runs that ask for the same share one row, so that placement looks at each question once. */
export interface RequestShape {
  hash: string;
  request: ShapedRequest;
}

/** The runtime a node must have for a kind of task; null where the agent itself does the work. */
const runtimeOfKind: Record<TaskSpec['kind'], string | null> = {
  shell: 'shell',
  python: 'python3',
  node: 'node',
  http: null,
  noop: null,
  approval: null,
  'wait-for': null,
  switch: null,
  workflow: null,
};

export function requestShapeOf(task: TaskSpec, project: string, limits: readonly LimitTake[]): RequestShape {
  const { cpuMillis, memoryMib, diskMib, gpuCount } = task.resources;
  const request: ShapedRequest = {
    resources: { cpuMillis, memoryMib, diskMib, gpuCount },
    labels: task.labels,
    runtime: runtimeOfKind[task.kind],
    project,
    ...(namesOf(task).secrets.length === 0 ? {} : { secrets: true as const }),
    ...(task.files === undefined ? {} : { files: true as const }),
    ...(limits.length === 0 ? {} : { limits }),
  };
  return { hash: createHash('sha256').update(JSON.stringify(request)).digest('base64url'), request };
}

/** Makes sure that the shapes are stored. In hash order, so that two creators never wait for each other crosswise. */
export async function storeRequestShapes(sql: Sql, shapes: Iterable<RequestShape>): Promise<void> {
  const distinct = [...new Map([...shapes].map((shape) => [shape.hash, shape])).values()].sort((left, right) =>
    left.hash < right.hash ? -1 : 1,
  );
  const stored = sql.query(
    'insert into request_shapes (hash, request) select * from unnest($1::text[], $2::jsonb[]) on conflict (hash) do nothing',
    [distinct.map((shape) => shape.hash), distinct.map((shape) => JSON.stringify(shape.request))],
  );
  await roundTrip([stored, storeLimitShapes(sql, distinct)]);
}

/** Which requests take a limit: how its queue is found. */
async function storeLimitShapes(sql: Sql, shapes: readonly RequestShape[]): Promise<void> {
  const takes = shapes.flatMap(({ hash, request }) => (request.limits ?? []).map((take) => ({ ...take, hash })));
  if (takes.length === 0) return;
  await sql.query(
    `insert into limit_shapes (limit_id, shape_hash, slots) select * from unnest($1::uuid[], $2::text[], $3::int[]) as s(limit_id, shape_hash, slots)
     order by limit_id, shape_hash on conflict do nothing`,
    [takes.map(({ limit }) => limit), takes.map(({ hash }) => hash), takes.map(({ slots }) => slots)],
  );
}
