import type { AgentBundle } from '@medley/contracts';

export interface JoinLine {
  /** Where the machine reaches the server. */
  serverUrl: string;
  token: string;
  bundle: Pick<AgentBundle, 'path' | 'sha256'>;
}

/**
 * One line for a machine that has nothing but Node: it loads the agent, checks it, keeps it as medley-agent.mjs and starts it. Without `$`, backticks, `!` and `%`, so that
 * the shells of Unix and Windows take it alike between double quotes.
 */
export function joinLine({ serverUrl, token, bundle }: JoinLine): string {
  const program = [
    `fetch('${serverUrl}${bundle.path}').then(r=>r.arrayBuffer()).then(a=>{`,
    `const b=Buffer.from(a),h=require('crypto').createHash('sha256').update(b).digest('hex');`,
    `if(h==='${bundle.sha256}'){require('fs').writeFileSync('medley-agent.mjs',b);`,
    `process.argv.push('medley-agent.mjs','--server','${serverUrl}','--token','${token}');`,
    `return import(require('url').pathToFileURL('medley-agent.mjs').href)}`,
    `throw Error('the agent was changed on its way: '+h)})`,
  ].join('');
  return `node -e "${program}"`;
}

/** For a server that has no packed agent: the line works in a built copy of the repository only. */
export function joinLineInCopy({ serverUrl, token }: Omit<JoinLine, 'bundle'>): string {
  return `MEDLEY_SERVER_URL=${serverUrl} MEDLEY_JOIN_TOKEN=${token} node apps/agent/dist/main.js`;
}

/** How the agent is started again after a restart of the machine: it has its credential by then. */
export function startAgainLine(serverUrl: string): string {
  return `node medley-agent.mjs --server ${serverUrl}`;
}

/** Whether an address leads to the machine itself, so that no other machine can use it. */
export function isOwnMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
