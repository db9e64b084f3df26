import { sqlOutsideTransaction } from '@medley/database';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ServerConfig } from '../config.js';
import { LOGGER } from '../logging/logger.js';
import { NodeQueues } from './node-queues.js';

@Module({
  providers: [
    {
      provide: NodeQueues,
      inject: [ServerConfig, DataSource, LOGGER],
      useFactory: async (config: ServerConfig, source: DataSource, logger: Logger) => {
        const sql = sqlOutsideTransaction(source);
        const [setting] = await sql.query<{ value: string }>(`select value from settings where key = 'secret'`);
        const listNodeIds = async () =>
          (await sql.query<{ id: string }>('select id from nodes where removed_at is null')).map((row) => row.id);
        const { redisUrl, redisAgentHost, redisAgentPort } = config;
        return new NodeQueues(
          { redisUrl, agentHost: redisAgentHost, agentPort: redisAgentPort, secret: setting!.value, listNodeIds },
          logger,
        );
      },
    },
  ],
  exports: [NodeQueues],
})
export class DispatchQueueModule implements OnApplicationShutdown {
  constructor(@Inject(NodeQueues) private readonly queues: NodeQueues) {}

  async onApplicationShutdown(): Promise<void> {
    await this.queues.close();
  }
}
