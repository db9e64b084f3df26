import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../repository/paths.mjs';
import { diesWithParent, startChild } from '../services/child.mjs';
import { createCpuQuota } from '../services/cpu-quota.mjs';

const strengths = [
  { name: 'strong', cores: 1 },
  { name: 'middle', cores: 0.5 },
  { name: 'weak', cores: 0.25 },
];

/**
 * The local agents: the first three have 100 %, 50 % and 25 % of a core, further ones repeat these. A CPU quota keeps them to it where control
 * groups can be made; elsewhere the agents hold their tasks' processes in turns. On Windows the difference is declared only, and the server takes
 * the declaration for the measurement.
 */
export function planAgents({ count, homeId }) {
  return Array.from({ length: count }, (_, index) => {
    const { name, cores } = strengths[index % strengths.length];
    const round = Math.floor(index / strengths.length);
    const fullName = round === 0 ? name : `${name}-${round + 1}`;
    const quota = createCpuQuota({ group: `medley-${homeId}`, name: fullName, cores });
    return { name: fullName, cores, quota, means: quota !== null ? 'quota' : process.platform === 'win32' ? 'declared' : 'duty-cycle' };
  });
}

const meanings = {
  quota: 'limited by CPU quota',
  'duty-cycle': 'throttled by duty cycle (a CPU quota needs root and control groups)',
  declared: 'declared only: this system can neither limit nor throttle them',
};

/** How the strengths of these agents came about, for people. */
export function describeAgents(agents) {
  if (agents.length === 0) return 'none';
  const list = agents.map(({ name, cores }) => `${name} (${cores * 100} %)`).join(', ');
  const weakest = agents.find(({ means }) => means !== 'quota') ?? agents[0];
  return `${list} of a core, ${meanings[weakest.means]}`;
}

/** True when this agent has to show a join token. */
export function mustJoin(home) {
  return !existsSync(join(home, 'credential.json'));
}

/** Starts one agent inside its quota. Its log is `logFile`. */
export function startAgent({ agent, serverUrl, home, agentHome, joinToken, logFile }) {
  const program = diesWithParent('SIGTERM', [process.execPath, '--enable-source-maps', join(root, 'apps/agent/dist/main.js')]);
  const argv = agent.quota === null ? program : agent.quota.wrap(program);
  return startChild({
    name: `agent ${agent.name}`,
    argv,
    logFile,
    env: {
      ...withoutSettings(process.env),
      MEDLEY_HOME: home,
      MEDLEY_SERVER_URL: serverUrl,
      MEDLEY_AGENT_NAME: agent.name,
      MEDLEY_AGENT_HOME: agentHome,
      ...(agent.means === 'duty-cycle' ? { MEDLEY_AGENT_CPU_SHARE: String(agent.cores * 100) } : {}),
      ...(joinToken === null ? {} : { MEDLEY_JOIN_TOKEN: joinToken }),
    },
  });
}

/** Agents never see database credentials, not even those of the person who starts them. */
function withoutSettings(environment) {
  const kept = Object.entries(environment).filter(
    ([name]) => !['DATABASE_URL', 'REDIS_URL', 'MEDLEY_JOIN_TOKEN', 'MEDLEY_AGENT_CPU_SHARE'].includes(name),
  );
  return Object.fromEntries(kept);
}
