import { AppError, phrase } from '@medley/core';
import type { FastifyRequest } from 'fastify';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a change that a page of another site made the browser send, by what browsers always tell: Sec-Fetch-Site, or Origin in older ones. A program
 * sends neither and is no way to abuse somebody's cookie. (The algorithm of Go's net/http CrossOriginProtection.)
 */
export function requireSameOrigin(request: FastifyRequest): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin' || site === 'none') return;
  if (site === undefined && (origin === undefined || hostOf(origin) === request.host)) return;
  throw new AppError(
    'origin-refused',
    origin === undefined ? phrase('origin-unknown', { host: request.host }) : phrase('origin-other', { host: request.host, origin }),
  );
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host : null;
}
