import { Agent } from './agent.js';
import { type AgentConfig, parseConfig } from './config.js';
import { createLogger } from './log.js';

function readConfig(): AgentConfig {
  try {
    return parseConfig(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

const config = readConfig();
const log = createLogger(config.logLevel);
const agent = new Agent(config, log);

/** Writes what the logger still holds, then ends. Whoever read the log may be gone, and then nobody says that it is written. */
function leave(status: number): void {
  log.flush(() => process.exit(status));
  setTimeout(() => process.exit(status), 500);
}

let stopping = false;
function stop(signal: NodeJS.Signals): void {
  if (stopping) {
    return;
  }
  stopping = true;
  log.info({ signal }, 'stopping; attempts go on running');
  agent.stop().then(
    () => leave(0),
    (error: unknown) => {
      log.error({ error: String(error) }, 'the stop was not clean');
      leave(1);
    },
  );
}

process.on('SIGTERM', stop);
process.on('SIGINT', stop);
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    log.fatal({ error: error instanceof Error ? error.stack : String(error) }, 'unexpected fault');
    leave(1);
  });
}

agent.run().catch((error: unknown) => {
  if (!stopping) {
    log.fatal({ error: error instanceof Error ? error.message : String(error) }, 'the agent cannot go on');
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    leave(1);
  }
});
