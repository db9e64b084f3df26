import { type ArgumentsHost, Catch, type ExceptionFilter, Inject } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AuditRecorder } from '../audit/audit-recorder.js';
import { LOGGER } from '../logging/logger.js';
import { appErrorOf, problemOf } from './problem-of.js';

/** The only place that turns errors into HTTP: `application/problem+json` with a code of the catalogue. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(AuditRecorder) private readonly audit: AuditRecorder,
  ) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const error = appErrorOf(exception);
    const problem = problemOf(error, String(request.id));
    void this.audit.refused(request, error);
    if (problem.status === 500) this.logger.error({ err: exception, requestId: problem.requestId, url: request.url }, 'a request failed');
    if (reply.sent || reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (problem.status === 503 || problem.status === 429) reply.header('retry-after', '5');
    reply.code(problem.status).header('cache-control', 'no-store').type('application/problem+json').send(JSON.stringify(problem));
  }
}
