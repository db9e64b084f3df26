import { Global, Inject, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { ServerConfig } from '../config.js';
import { LOGGER } from '../logging/logger.js';
import { PostgresPeers } from './postgres-peers.js';
import { WakeBus } from './wake-bus.js';

@Global()
@Module({ providers: [WakeBus], exports: [WakeBus] })
export class WakeModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly peers: PostgresPeers;

  constructor(@Inject(WakeBus) bus: WakeBus, @Inject(ServerConfig) config: ServerConfig, @Inject(LOGGER) logger: Logger) {
    this.peers = new PostgresPeers(config.databaseUrl, bus, logger);
    bus.connect(this.peers);
  }

  onApplicationBootstrap(): void {
    this.peers.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.peers.stop();
  }
}
