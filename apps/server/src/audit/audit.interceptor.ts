import { AppError, type ErrorCode, errorCatalogue } from '@medley/core';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, mergeMap, type Observable } from 'rxjs';
import { appErrorOf } from '../errors/problem-of.js';
import { AuditRecorder } from './audit-recorder.js';
import { actionOf, auditRuleOf } from './audit-rules.js';

/** Records every call that changes something: an event before the handler, its outcome after it. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(@Inject(AuditRecorder) private readonly recorder: AuditRecorder) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const action = actionOf(request);
    if (action === 'finishOidcSignIn') return this.recordOidcSignIn(request, context.switchToHttp().getResponse<FastifyReply>(), next);
    const rule = action === null ? null : auditRuleOf(action);
    const recording = action !== null && rule !== null ? await this.recorder.begin(action, rule, request) : null;
    if (recording === null) return next.handle();
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        await this.recorder.succeeded(recording, answer);
        return answer;
      }),
      catchError(async (error: unknown) => {
        await this.recorder.failed(recording, appErrorOf(error));
        throw error;
      }),
    );
  }

  /** A refused sign-in by a provider is no error to Nest: it leads back to the login page, which is told the code. */
  private recordOidcSignIn(request: FastifyRequest, reply: FastifyReply, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        const location = String(reply.getHeader('location') ?? '');
        const code = new URLSearchParams(location.split('?')[1] ?? '').get('problem');
        if (code !== null && Object.hasOwn(errorCatalogue, code)) await this.recorder.refused(request, new AppError(code as ErrorCode, ''));
        return answer;
      }),
    );
  }
}
