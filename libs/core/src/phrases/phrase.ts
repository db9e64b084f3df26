import { type PhraseCode, type PhraseTexts, phraseTexts } from './texts/index.js';

/** The languages every phrase is said in. Answers of the API are in English. */
export type PhraseLanguage = 'en' | 'zh-CN';

/** What stands in a blank: a text or a number as it is, another phrase, or several of these, joined as the language joins a list. */
export type PhraseValue = string | number | Phrase | readonly PhraseValue[];

/** A text as a stable code and what stands in its blanks: for programs, and to be said in any language. */
export interface Phrase {
  code: PhraseCode;
  values?: Readonly<Record<string, PhraseValue>>;
}

/** A phrase as it comes from elsewhere: of another version, whose codes may be unknown here. */
export interface ForeignPhrase {
  code: string;
  values?: Readonly<Record<string, unknown>>;
}

/** The names of the blanks in a text: `task | need` of "task {task} needs {need}". */
type BlanksOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | BlanksOf<Rest> : never;
type Blanks<Code extends PhraseCode> = BlanksOf<PhraseTexts[Code]['en']>;
type Values<Code extends PhraseCode> = [Blanks<Code>] extends [never] ? [] : [values: Record<Blanks<Code>, PhraseValue>];

/** A phrase of the catalogue; the compiler asks for a value for each of its blanks. */
export function phrase<Code extends PhraseCode>(code: Code, ...[values]: Values<Code>): Phrase {
  return values === undefined ? { code } : { code, values };
}

/** A phrase in English, as the API answers it. */
export function inEnglish(phrase: Phrase): string {
  return sayPhrase(phrase, 'en') ?? phrase.code;
}

/** A phrase in a language; null when its code is not known here. Never throws, whatever stands in the values. */
export function sayPhrase({ code, values = {} }: ForeignPhrase, language: PhraseLanguage): string | null {
  if (!Object.hasOwn(phraseTexts, code)) return null;
  const text: string = phraseTexts[code as PhraseCode][language];
  return text.replace(/\{(\w+)\}/g, (blank, name: string) => (Object.hasOwn(values, name) ? sayValue(values[name], language) : blank));
}

/** The end of a phrase that names what a mistyped name may have meant; nothing when nothing is near. */
export function hintOf(nearest: string | null): PhraseValue {
  return nearest === null ? '' : phrase('did-you-mean', { nearest });
}

function sayValue(value: unknown, language: PhraseLanguage): string {
  if (Array.isArray(value)) return value.map((each) => sayValue(each, language)).join(language === 'en' ? ', ' : '、');
  if (typeof value !== 'object' || value === null) return String(value);
  const { code, values } = value as Partial<ForeignPhrase>;
  return typeof code === 'string' ? (sayPhrase({ code, values }, language) ?? code) : JSON.stringify(value);
}
