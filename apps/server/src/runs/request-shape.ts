import { createHash } from 'node:crypto';
import type { TaskSpec } from '@medley/contracts';
import type { Resources } from '@medley/core';
import type { Sql } from '@medley/database';

/** What a task asks of a node. Task runs that ask for the same share one row, so that placement looks at each question once. */
export interface RequestShape {
  hash: string;
  request: { resources: Resources; labels: string | null; runtime: string | null };
}

/** The runtime a node must have for a kind of task; null where the agent itself does the work. */
const runtimeOfKind: Record<TaskSpec['kind'], string | null> = { shell: 'shell', python: 'python3', node: 'node', http: null, noop: null };

export function requestShapeOf(task: TaskSpec): RequestShape {
  const { cpuMillis, memoryMib, diskMib, gpuCount } = task.resources;
  const request = { resources: { cpuMillis, memoryMib, diskMib, gpuCount }, labels: task.labels, runtime: runtimeOfKind[task.kind] };
  return { hash: createHash('sha256').update(JSON.stringify(request)).digest('base64url'), request };
}

/** Makes sure that the shapes are stored. In hash order, so that two creators never wait for each other crosswise. */
export async function storeRequestShapes(sql: Sql, shapes: Iterable<RequestShape>): Promise<void> {
  const distinct = [...new Map([...shapes].map((shape) => [shape.hash, shape])).values()].sort((left, right) =>
    left.hash < right.hash ? -1 : 1,
  );
  await sql.query(
    'insert into request_shapes (hash, request) select * from unnest($1::text[], $2::jsonb[]) on conflict (hash) do nothing',
    [distinct.map((shape) => shape.hash), distinct.map((shape) => JSON.stringify(shape.request))],
  );
}
