import { AppError, phrase } from '@medley/core';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';

const DENIALS = new Set(['access_denied', 'consent_required', 'interaction_required', 'login_required', 'account_selection_required']);
const OUTAGES = new Set(['server_error', 'temporarily_unavailable']);
/** Not an answer of the provider itself: nobody in time, or something that stands in for it. */
const NO_ANSWER = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON']);

/** What a fault in talking to the provider means to the person who signs in. */
export function problemOfProvider(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isOutage(error)) {
    return new AppError('provider-unavailable', phrase('local-users-may-sign-in'), undefined, {
      cause: error,
    });
  }
  if (error instanceof AuthorizationResponseError && DENIALS.has(error.error)) {
    return new AppError('sign-in-denied', phrase('ask-for-access-there'), undefined, { cause: error });
  }
  return new AppError('sign-in-invalid', phrase('sign-in-anew-or-ask'), undefined, {
    cause: error,
  });
}

function isOutage(error: unknown): boolean {
  if (error instanceof AuthorizationResponseError) return OUTAGES.has(error.error);
  if (error instanceof ResponseBodyError) return error.status >= 500;
  if (error instanceof ClientError) return NO_ANSWER.has(error.code ?? '');
  // What `fetch` rejects with when there is no connection.
  return error instanceof TypeError && error.cause instanceof Error;
}
