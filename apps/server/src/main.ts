import { ConfigError, readServerConfig } from './config.js';
import { createApp } from './create-app.js';
import { createLogger } from './logging/logger.js';

/** Exit codes a supervisor can tell apart. */
const EXIT = { failed: 1, misconfigured: 2, portTaken: 3 } as const;

async function main(): Promise<void> {
  const config = readServerConfig(process.env);
  const logger = createLogger(config.logLevel);
  const app = await createApp(config, logger);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      logger.info({ signal }, 'stopping');
      void app.close().then(() => process.exit(0));
    });
  }
  await app.listen(config.port, config.host);
  logger.info({ url: await app.getUrl() }, 'Medley is listening');
}

main().catch((error: unknown) => {
  const fault = error as Error & { code?: string };
  const portTaken = fault.code === 'EADDRINUSE';
  const text = portTaken
    ? `The port is taken: ${fault.message}. Set MEDLEY_PORT to another one.`
    : fault instanceof ConfigError
      ? fault.message
      : fault.stack;
  process.stderr.write(`${text}\n`);
  process.exit(portTaken ? EXIT.portTaken : fault instanceof ConfigError ? EXIT.misconfigured : EXIT.failed);
});
