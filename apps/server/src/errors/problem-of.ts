import type { Problem } from '@medley/contracts';
import { AppError, type ErrorCode, type ErrorKind, errorCatalogue, phrase } from '@medley/core';
import { HttpException } from '@nestjs/common';
import { isDatabaseUnavailable } from '../database/database-faults.js';

const statusOfKind: Record<ErrorKind, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'rate-limited': 429,
  internal: 500,
  unavailable: 503,
};
const statusOfCode: Partial<Record<ErrorCode, number>> = {
  'body-too-large': 413,
  'media-type-unsupported': 415,
  'stale-version': 412,
};

/** The refusal that an exception of any origin amounts to. What nobody foresaw is `internal`. */
export function appErrorOf(exception: unknown): AppError {
  if (exception instanceof AppError) return exception;
  if (isDatabaseUnavailable(exception)) {
    return new AppError('unavailable', phrase('database-unreachable'), undefined, {
      cause: exception,
    });
  }
  const status = exception instanceof HttpException ? exception.getStatus() : (exception as { statusCode?: unknown } | null)?.statusCode;
  const detail = exception instanceof Error ? exception.message : String(exception);
  if (status === 404) return new AppError('route-not-found', phrase('route-unknown', { route: detail.replace(/^Cannot /, '') }));
  if (status === 413) return new AppError('body-too-large', phrase('send-less', { detail }));
  if (status === 415) return new AppError('media-type-unsupported', phrase('send-json', { detail }));
  if (typeof status === 'number' && status >= 400 && status < 500) return new AppError('body-invalid', detail);
  return new AppError('internal', phrase('request-not-handled'), undefined, {
    cause: exception,
  });
}

/** RFC 9457 form of a refusal. */
export function problemOf(error: AppError, requestId: string): Problem {
  const { kind, title } = errorCatalogue[error.code];
  return {
    type: `urn:medley:error:${error.code}`,
    title,
    status: statusOfCode[error.code] ?? statusOfKind[kind],
    code: error.code,
    detail: error.detail,
    ...(error.phrase && { explanation: error.phrase }),
    ...(error.fields && error.fields.length > 0 ? { fields: [...error.fields] } : {}),
    requestId,
  };
}
