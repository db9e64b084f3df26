import { join } from 'node:path';
import type { AttemptWork, Dispatch } from '@medley/contracts';
import { OUTPUT_VALUES_FILE } from '../executors/executor.js';

export interface NodeIdentity {
  name: string;
  declaredSpeed: number | null;
  installation: string | null;
}

const INHERITED = ['PATH', 'HOME', 'LANG', 'TZ'] as const;
/** What programs of Windows need to start at all; no other system has them. */
const INHERITED_ON_WINDOWS = ['PATHEXT', 'ComSpec', 'SystemRoot', 'SystemDrive', 'USERPROFILE', 'TEMP', 'TMP'] as const;

/**
 * The environment of an attempt: a few variables of the agent, what the task declares, and who it is. Nothing else of the agent's own
 * environment gets in, so neither credential nor join token can.
 */
export function taskEnvironment(
  work: AttemptWork,
  dispatch: Dispatch,
  node: NodeIdentity,
  agent: NodeJS.ProcessEnv,
  directory: string,
): Record<string, string> {
  const environment: Record<string, string> = { LANG: 'C.UTF-8' };
  for (const name of [...INHERITED, ...INHERITED_ON_WINDOWS]) {
    const value = agent[name];
    if (value !== undefined && value !== '') {
      environment[name] = value;
    }
  }
  Object.assign(environment, work.env, {
    MEDLEY_RUN_ID: work.runId,
    MEDLEY_TASK_RUN_ID: dispatch.taskRunId,
    MEDLEY_ATTEMPT_ID: dispatch.attemptId,
    MEDLEY_FENCE: String(dispatch.fence),
    MEDLEY_TASK: work.taskKey,
    MEDLEY_ATTEMPT: String(work.attemptNumber),
    MEDLEY_OUTPUT: join(directory, OUTPUT_VALUES_FILE),
    MEDLEY_NODE: node.name,
    MEDLEY_SPEED: String(node.declaredSpeed ?? 1),
  });
  if (node.installation !== null) {
    environment.MEDLEY_HOME = node.installation;
  }
  return environment;
}
