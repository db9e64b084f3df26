import { randomUUID } from 'node:crypto';
import type { AttemptWork, Dispatch } from '@medley/contracts';

export function buildDispatch(values: Partial<Dispatch> = {}): Dispatch {
  return { taskRunId: randomUUID(), attemptId: randomUUID(), fence: 1, sendNo: 0, ...values };
}

export function buildWork(values: Partial<AttemptWork> = {}): AttemptWork {
  return {
    runId: randomUUID(),
    project: 'growth',
    workflow: 'churn-daily',
    taskKey: 'extract',
    attemptNumber: 1,
    kind: 'shell',
    script: 'true',
    http: null,
    env: {},
    resources: { cpuMillis: 100, memoryMib: 0, diskMib: 0, gpuCount: 0 },
    timeoutSeconds: null,
    graceSeconds: 5,
    onLeaseLost: 'finish',
    logCapBytes: 10_000_000,
    ...values,
  };
}
