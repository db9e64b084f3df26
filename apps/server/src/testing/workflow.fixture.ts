import type { TaskSpec, WorkflowSpec } from '@medley/contracts';
import type { NeedCondition, Needs } from '@medley/core';

/** What a test says of a task; the rest is a shell task that asks for nothing and is tried once. */
export interface TaskFields extends Partial<Omit<TaskSpec, 'needs' | 'key' | 'position' | 'resources'>> {
  /** Keys that must have succeeded, or conditions by key. */
  needs?: string[] | Record<string, NeedCondition> | Needs;
  cpuMillis?: number;
}

export function taskSpec(key: string, position: number, { needs, cpuMillis, ...fields }: TaskFields): TaskSpec {
  return {
    key,
    position,
    kind: 'shell',
    script: 'true',
    http: null,
    env: {},
    resources: { cpuMillis: cpuMillis ?? 0, memoryMib: 0, diskMib: 0, gpuCount: 0 },
    labels: null,
    retry: { attempts: 1, delaySeconds: 10, backoff: 'fixed', maxDelaySeconds: 300 },
    timeoutSeconds: null,
    priority: 0,
    pool: 'default',
    onLeaseLost: 'finish',
    ...fields,
    needs: needsOf(needs),
  };
}

export function workflowSpec(tasks: TaskSpec[], workflow: string): WorkflowSpec {
  return { project: 'tests', workflow, description: '', parameters: {}, schedules: [], tasks };
}

function needsOf(needs: TaskFields['needs']): Needs {
  if (!needs) return { mode: 'all', conditions: {} };
  if (Array.isArray(needs)) return { mode: 'all', conditions: Object.fromEntries(needs.map((key) => [key, 'succeeded' as const])) };
  return isNeeds(needs) ? needs : { mode: 'all', conditions: needs };
}

function isNeeds(needs: Record<string, NeedCondition> | Needs): needs is Needs {
  return typeof (needs as Needs).conditions === 'object';
}

/** A value expression as the workflow file writes it. */
export function reference(path: string): string {
  return `\${{ ${path} }}`;
}
