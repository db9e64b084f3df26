import { i18n } from '../i18n/i18n.js';
import { say } from '../i18n/phrases.js';
import type { ApiProblem } from './api-problem.js';

type Translate = (key: string) => string;

const isKnown = (code: string) => i18n.global.te(`error.code.${code}`);

/** The title of a problem in the reader's language where its code is known to us, otherwise as the server says it. */
export function problemTitle(problem: ApiProblem, t: Translate): string {
  return isKnown(problem.code) ? t(`error.code.${problem.code}`) : problem.problem.title;
}

/** The same where only the code is known: an address that the server redirected to. */
export function titleOfCode(code: string, t: Translate): string {
  return isKnown(code) ? t(`error.code.${code}`) : t('error.unexpected');
}

/**
 * What happened in this case, in the reader's language; empty where the title says all. The English detail of a refusal whose faults stand by field only repeats
 * them.
 */
export function problemDetail({ code, problem, fields }: ApiProblem): string {
  if (code === 'unreachable') return '';
  if (problem.explanation === undefined && fields.length > 0) return '';
  return say(problem.explanation, problem.detail);
}
