import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, onRouteHookHandler } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { appModule } from './app.module.js';
import type { ServerConfig } from './config.js';
import { serveConsole } from './console/serve-console.js';
import { createHttpAdapter } from './http-server.js';
import { nestLogger } from './logging/logger.js';
import { METRICS, measureRequests } from './metrics/metrics.js';
import { serveApiDocs } from './openapi/serve-api-docs.js';

/** The whole server, ready to listen. Waits for the database; see `connectDatabase`. `onRoute` hears of every address that it will answer at. */
export async function createApp(config: ServerConfig, logger: Logger, onRoute?: onRouteHookHandler): Promise<NestFastifyApplication> {
  const adapter = await createHttpAdapter(config, onRoute);
  const app = await NestFactory.create<NestFastifyApplication>(appModule(config, logger), adapter, {
    logger: nestLogger(logger),
    abortOnError: false,
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  measureRequests(fastify, app.get<Registry>(METRICS));
  logRequests(fastify, logger);
  serveApiDocs(app);
  if (config.consoleDir && !(await serveConsole(fastify, config.consoleDir))) {
    logger.warn({ directory: config.consoleDir }, 'there is no built console (index.html) here; the API runs without it');
  }
  return app;
}

function logRequests(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook('onResponse', async (request, reply) => {
    const fields = { requestId: request.id, method: request.method, url: request.url.split('?', 1)[0], status: reply.statusCode };
    logger.debug({ ...fields, ms: Math.round(reply.elapsedTime) }, 'answered');
  });
}
