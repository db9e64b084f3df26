import { type FieldError, type ForeignPhrase, sayPhrase } from '@medley/core';
import { i18n, type Language } from './i18n.js';

/** A fault as the API and the checks of a workflow tell it: English text, and the same as code and values. */
export type ToldFault = Pick<FieldError, 'message' | 'code' | 'values' | 'expected' | 'expectation'>;

/** Read where it is used, so that what shows the text follows a change of language. */
const language = () => i18n.global.locale.value as Language;

/** A phrase in the reader's language; what the sender told where the phrase is absent, or of a newer version. */
export function say(phrase: ForeignPhrase | null | undefined, otherwise: string): string {
  return (phrase && sayPhrase(phrase, language())) ?? otherwise;
}

/** What is wrong, in the reader's language. */
export function faultText({ message, code, values }: ToldFault): string {
  return say(code === undefined ? null : { code, values }, message);
}

/** What would be right, in the reader's language. */
export function expectedText({ expected, expectation }: ToldFault): string | undefined {
  return expected === undefined ? undefined : say(expectation, expected);
}
