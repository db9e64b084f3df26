import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_SECONDS } from './open-session.js';

const SESSION_COOKIE = 'medley_session';

/** The session's token that a browser sent, or null. */
export function sessionTokenIn(request: FastifyRequest): string | null {
  return request.cookies[SESSION_COOKIE] ?? null;
}

/** Hands a session to the browser, where scripts cannot read it. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  reply.setCookie(SESSION_COOKIE, token, { ...cookieOptions(request), maxAge: SESSION_SECONDS });
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.clearCookie(SESSION_COOKIE, cookieOptions(request));
}

function cookieOptions(request: FastifyRequest) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: request.protocol === 'https' } as const;
}
