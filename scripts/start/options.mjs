import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../repository/paths.mjs';
import { StepFailed } from '../repository/run.mjs';

export const help = `npm start -- [options]

Installs, builds and runs Medley on this machine: Postgres, Redis when there is one, a server and local agents.

  --port N        port of the server and the console; a taken one is an error (default: 8080 or the next free one)
  --host ADDRESS  address to listen on (default: 127.0.0.1; 0.0.0.0 makes it reachable from other machines)
  --agents N      local agents (default: 3, with 100 %, 50 % and 25 % of a core)
  --home DIR      where data, logs and agents live (default: .medley, or MEDLEY_HOME)
  --no-redis      agents fetch their work by long poll, even where a Redis could be had
  --no-example    do not load the example workflows on the first start
  --reset         first remove everything in the home: data, logs, agents
  --help          this text

Environment
  DATABASE_URL           a Postgres of your own instead of the embedded one
  REDIS_URL              a Redis of your own
`;

/** Options of `npm start`, checked; unknown or impossible ones end the script with what to write instead. */
export function readOptions(args, environment = process.env) {
  const values = parse(args);
  const port = values.port === undefined ? null : wholeNumber('--port', values.port, 1, 65_535);
  return {
    help: values.help,
    port,
    host: values.host,
    agents: wholeNumber('--agents', values.agents, 0, 64),
    home: resolve(values.home ?? environment.MEDLEY_HOME ?? join(root, '.medley')),
    redis: !values['no-redis'],
    example: !values['no-example'],
    reset: values.reset,
    databaseUrl: environment.DATABASE_URL || null,
    redisUrl: environment.REDIS_URL || null,
  };
}

function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: 'string' },
        host: { type: 'string', default: '127.0.0.1' },
        agents: { type: 'string', default: '3' },
        home: { type: 'string' },
        'no-redis': { type: 'boolean', default: false },
        'no-example': { type: 'boolean', default: false },
        reset: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new StepFailed(`${error.message}\n\n${help}`);
  }
}

function wholeNumber(name, text, least, most) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new StepFailed(`${name} must be a whole number from ${least} to ${most}, not "${text}"`);
}
