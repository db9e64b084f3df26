import type { Child } from '@medley/scripts/services';
import { builtEntry, Program, startNode } from './program.js';

export interface AgentLaunch {
  serverUrl: string;
  name: string;
  /** Credential, spool and attempts are kept here; a restart with the same home adopts what runs. */
  home: string;
  /** Needed on the first start of a home only. */
  joinToken?: string;
  env?: NodeJS.ProcessEnv;
}

/** A running agent. */
export class AgentProgram extends Program {
  constructor(
    child: Child,
    readonly name: string,
    readonly home: string,
  ) {
    super(child);
  }
}

/** Starts a built agent; it joins in its own time, so a test waits for its node to be online. */
export function startAgent(launch: AgentLaunch): AgentProgram {
  const child = startNode(`agent ${launch.name}`, builtEntry('agent'), {
    MEDLEY_SERVER_URL: launch.serverUrl,
    ...(launch.joinToken === undefined ? {} : { MEDLEY_JOIN_TOKEN: launch.joinToken }),
    MEDLEY_AGENT_NAME: launch.name,
    MEDLEY_AGENT_HOME: launch.home,
    ...launch.env,
  });
  return new AgentProgram(child, launch.name, launch.home);
}
