/** What kind of refusal a code is. Only the REST filter turns a kind into an HTTP status. */
export type ErrorKind = 'invalid' | 'not-found' | 'conflict' | 'unauthorized' | 'forbidden' | 'rate-limited' | 'unavailable' | 'internal';

interface CatalogueEntry {
  kind: ErrorKind;
  title: string;
}

/** Every error code a client may see. `docs/errors.md` explains each; a test holds the two together. */
export const errorCatalogue = {
  'validation-failed': { kind: 'invalid', title: 'The request does not have the expected form' },
  'body-invalid': { kind: 'invalid', title: 'The request body cannot be read' },
  'body-too-large': { kind: 'invalid', title: 'The request body is too large' },
  'media-type-unsupported': { kind: 'invalid', title: 'The content type is not accepted here' },
  'cursor-invalid': { kind: 'invalid', title: 'The page cursor cannot be used' },
  'workflow-invalid': { kind: 'invalid', title: 'The workflow definition has errors' },
  'parameter-invalid': { kind: 'invalid', title: 'A parameter value is missing or has the wrong type' },
  'reference-invalid': { kind: 'invalid', title: 'A value reference cannot be resolved' },
  'cron-invalid': { kind: 'invalid', title: 'The cron expression has errors' },
  'secret-keys-missing': { kind: 'conflict', title: 'The server has no keys for secrets' },
  'schedule-kind-wrong': { kind: 'conflict', title: 'The schedule is of another kind' },
  'schedule-disabled': { kind: 'conflict', title: 'The schedule is disabled' },
  'webhook-signature-invalid': { kind: 'unauthorized', title: 'The delivery is not signed as it has to be' },
  'webhook-timestamp-invalid': { kind: 'unauthorized', title: 'The delivery was not signed just now' },
  'password-weak': { kind: 'invalid', title: 'The password is too easy to guess' },
  'password-wrong': { kind: 'invalid', title: 'The current password is wrong' },
  'protocol-unsupported': { kind: 'invalid', title: 'The agent and the server share no protocol version' },
  'not-found': { kind: 'not-found', title: 'There is no such thing, or you may not see it' },
  'route-not-found': { kind: 'not-found', title: 'There is no such address' },
  'name-taken': { kind: 'conflict', title: 'The name is already in use' },
  'stale-version': { kind: 'conflict', title: 'It was changed by someone else meanwhile' },
  'idempotency-key-reused': { kind: 'conflict', title: 'The idempotency key was used already' },
  'run-not-cancellable': { kind: 'conflict', title: 'The run has already ended' },
  'run-not-rerunnable': { kind: 'conflict', title: 'The run cannot be run again in this way' },
  'run-not-pausable': { kind: 'conflict', title: 'The run cannot be paused or resumed any more' },
  'task-run-ended': { kind: 'conflict', title: 'The task has already ended' },
  'run-has-no-work': { kind: 'conflict', title: 'The run has nothing to run again' },
  'limit-in-use': { kind: 'conflict', title: 'The limit is held, awaited or named by workflows' },
  'limit-invalid': { kind: 'invalid', title: 'The limit cannot be so' },
  'calendar-in-use': { kind: 'conflict', title: 'Schedules use the calendar' },
  'pool-in-use': { kind: 'conflict', title: 'The pool still has nodes, join tokens or unfinished work' },
  'node-in-use': { kind: 'conflict', title: 'The node still holds attempts' },
  'project-in-use': { kind: 'conflict', title: 'The project still holds runs' },
  'user-name-clash': { kind: 'conflict', title: 'The name belongs to another user' },
  'user-not-local': { kind: 'conflict', title: 'The password is kept by another system' },
  'membership-managed': { kind: 'conflict', title: 'A directory decides on this membership' },
  'last-administrator': { kind: 'conflict', title: 'Nobody would be left to administer the platform' },
  'authentication-required': { kind: 'unauthorized', title: 'You are not signed in' },
  'sign-in-denied': { kind: 'unauthorized', title: 'The provider did not let you sign in' },
  'sign-in-expired': { kind: 'unauthorized', title: 'The sign-in took too long, or began in another browser' },
  'sign-in-invalid': { kind: 'unauthorized', title: 'The answer of the provider cannot be used' },
  'user-disabled': { kind: 'unauthorized', title: 'The user is disabled' },
  'login-failed': { kind: 'unauthorized', title: 'The name or the password is wrong' },
  'token-invalid': { kind: 'unauthorized', title: 'The API token is unknown, revoked or expired' },
  'join-token-invalid': { kind: 'unauthorized', title: 'The join token cannot be used' },
  'agent-credential-invalid': { kind: 'unauthorized', title: 'The agent is not known' },
  'permission-denied': { kind: 'forbidden', title: 'You may not do this' },
  'password-change-required': { kind: 'forbidden', title: 'The password has to be changed first' },
  'origin-refused': { kind: 'forbidden', title: 'The request comes from a foreign site' },
  'too-many-requests': { kind: 'rate-limited', title: 'Too many requests' },
  'log-expired': { kind: 'not-found', title: 'The log has been removed' },
  'blob-missing': { kind: 'internal', title: 'A stored file is missing' },
  'blob-damaged': { kind: 'internal', title: 'A stored file is damaged' },
  'blob-store-unavailable': { kind: 'unavailable', title: 'The blob store cannot be used at the moment' },
  'directory-unavailable': { kind: 'unavailable', title: 'The directory cannot be asked at the moment' },
  'provider-unavailable': { kind: 'unavailable', title: 'The sign-in provider cannot be reached at the moment' },
  unavailable: { kind: 'unavailable', title: 'Medley cannot answer at the moment' },
  internal: { kind: 'internal', title: 'Something went wrong inside Medley' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;

export const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];
