import type { ApiProblem } from './api-problem.js';

type Translate = (key: string) => string;

const translated = new Set([
  'unreachable',
  'not-found',
  'permission-denied',
  'stale-version',
  'workflow-invalid',
  'validation-failed',
  'parameter-invalid',
  'run-not-cancellable',
  'run-not-rerunnable',
  'run-has-no-work',
  'node-in-use',
  'pool-in-use',
  'name-taken',
  'login-failed',
  'sign-in-denied',
  'sign-in-expired',
  'sign-in-invalid',
  'provider-unavailable',
  'directory-unavailable',
  'user-name-clash',
  'user-disabled',
  'too-many-requests',
  'password-weak',
  'password-wrong',
  'password-change-required',
  'last-administrator',
  'user-not-local',
  'membership-managed',
  'internal',
  'unavailable',
]);

/** The title of a problem in the reader's language where its code is known to us, otherwise as the server says it. */
export function problemTitle(problem: ApiProblem, t: Translate): string {
  return translated.has(problem.code) ? t(`error.code.${problem.code}`) : problem.problem.title;
}

/** The same where only the code is known: an address that the server redirected to. */
export function titleOfCode(code: string, t: Translate): string {
  return translated.has(code) ? t(`error.code.${code}`) : t('error.unexpected');
}
