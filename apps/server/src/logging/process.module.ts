import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { ServerConfig } from '../config.js';
import { LOGGER } from './logger.js';

@Global()
@Module({})
class ProcessModule {}

/** Makes the configuration and the logger, which exist before Nest does, injectable everywhere. */
export function processModule(config: ServerConfig, logger: Logger): DynamicModule {
  return {
    module: ProcessModule,
    providers: [
      { provide: ServerConfig, useValue: config },
      { provide: LOGGER, useValue: logger },
    ],
    exports: [ServerConfig, LOGGER],
  };
}
