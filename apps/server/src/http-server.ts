import { randomUUID } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import { AGENT_API_PREFIX, REST_PREFIX } from '@medley/contracts';
import { AppError } from '@medley/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest, onRouteHookHandler } from 'fastify';
import type { ServerConfig } from './config.js';
import { unstorableText } from './rest/storable-text.js';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Bounds of request bodies by where they go; anything else is small. */
const bodyLimits: { path: RegExp; bytes: number }[] = [
  { path: /^\/agent\/v1\/reports$/, bytes: 64 * MIB },
  // These name every attempt the agent holds.
  { path: /^\/agent\/v1\/(session|heartbeat)$/, bytes: 16 * MIB },
  { path: /^\/api\/v1\/workflows\/(apply|validate)$/, bytes: 8 * MIB },
];
const BODY_LIMIT = 256 * KIB;

/** Where agents send files. */
const FILES_ADDRESS = `${AGENT_API_PREFIX}/files`;

/** Bodies below this address are signed as they were sent. */
const SIGNED_PREFIX = `${REST_PREFIX}/hooks/`;

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a JSON body, where a signature is over them. */
    rawBody?: Buffer;
  }
}

const securityHeaders = {
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
};

/** The Fastify server under Nest: request ids, body limits, cookies, YAML bodies, security headers. */
export async function createHttpAdapter(config: ServerConfig, onRoute?: onRouteHookHandler): Promise<FastifyAdapter> {
  const adapter = new FastifyAdapter({
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  if (onRoute) fastify.addHook('onRoute', onRoute);
  fastify.addHook('onRoute', (route) => {
    const limit = bodyLimits.find(({ path }) => path.test(route.url));
    if (limit) route.bodyLimit = limit.bytes;
  });
  fastify.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...securityHeaders, 'x-request-id': String(request.id) });
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store');
  });
  fastify.addHook('preValidation', async (request) => {
    if (request.url.startsWith(AGENT_API_PREFIX)) return; // agents report what tasks print; the services make it storable
    const found = unstorableText(request.body, '') ?? unstorableText(request.query, '');
    if (found) throw new AppError('validation-failed', `${found.path || 'body'} ${found.message}.`, [found]);
  });
  fastify.addContentTypeParser(['application/yaml', 'application/x-yaml', 'text/yaml'], { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  // A file is never held in memory: its body goes through as a stream, at the one address that takes files.
  fastify.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    if (request.routeOptions.url === FILES_ADDRESS) done(null, payload);
    else done(Object.assign(new Error('Files are not taken here'), { statusCode: 415 }));
  });
  readJson(adapter, fastify);
  await fastify.register(fastifyCookie);
  return adapter;
}

/** JSON as Fastify reads it, but that an empty body is no body: clients name the content type with every call, also with one that has nothing to send. */
function readJson(adapter: FastifyAdapter, fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  adapter.useBodyParser(
    'application/json',
    false,
    {},
    (request: FastifyRequest, body: Buffer, done: (error: Error | null, parsed?: unknown) => void) => {
      if (request.routeOptions.url?.startsWith(SIGNED_PREFIX)) request.rawBody = body;
      if (body.length === 0) done(null, undefined);
      else parse(request, body.toString('utf8'), done);
    },
  );
}
