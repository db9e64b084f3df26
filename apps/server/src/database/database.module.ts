import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ServerConfig } from '../config.js';
import { LOGGER } from '../logging/logger.js';
import { connectDatabase } from './connect.js';

/** The one connection pool of the process; the schema is up to date when it is injected. */
@Global()
@Module({
  providers: [
    {
      provide: DataSource,
      inject: [ServerConfig, LOGGER],
      useFactory: (config: ServerConfig, logger: Logger) => connectDatabase(config, logger),
    },
  ],
  exports: [DataSource],
})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(@Inject(DataSource) private readonly source: DataSource) {}

  async onApplicationShutdown(): Promise<void> {
    if (this.source.isInitialized) await this.source.destroy();
  }
}
