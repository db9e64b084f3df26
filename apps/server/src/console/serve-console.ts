import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { AppError } from '@medley/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { problemOf } from '../errors/problem-of.js';

const RESERVED = /^\/(api|agent|metrics|healthz|readyz)(\/|$)/;
const YEAR_SECONDS = 31_536_000;

/**
 * Serves the built console: assets, whose names carry a hash, for ever; any other address gets index.html, so that links into the console work.
 * Files made before the start are served (compressed when a .br or .gz is beside them), nothing else.
 */
export async function serveConsole(fastify: FastifyInstance, directory: string): Promise<boolean> {
  if (!existsSync(join(directory, 'index.html'))) return false;
  const files = new Set(listFiles(directory));
  await fastify.register(fastifyStatic, { root: directory, serve: false, preCompressed: true, cacheControl: false });
  fastify.get('/*', (request, reply) => answer(request, reply, files));
  return true;
}

function answer(request: FastifyRequest, reply: FastifyReply, files: ReadonlySet<string>): FastifyReply {
  const path = pathOf(request.url);
  const missing = path === null || RESERVED.test(path) || (path.startsWith('/assets/') && !files.has(path));
  if (missing) return refuse(request, reply);
  if (!files.has(path)) return reply.header('cache-control', 'no-cache').sendFile('index.html');
  const cache = path.startsWith('/assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache';
  return reply.header('cache-control', cache).sendFile(path.slice(1));
}

function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(new AppError('route-not-found', `Cannot ${request.method} ${request.url}`), String(request.id));
  return reply.code(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}

function pathOf(url: string): string | null {
  try {
    return decodeURIComponent(url.split('?', 1)[0]!);
  } catch {
    return null;
  }
}

function listFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => `/${relative(directory, path).split(sep).join('/')}`);
}
