import { inEnglish, type Phrase } from '@medley/core';

const byMessage = new Map<string, Phrase>();

/** The message of a rule of a schema, which is English there, so that whoever tells a fault finds its phrase again by `phraseOfMessage`. */
export function told(phrase: Phrase): string {
  const message = inEnglish(phrase);
  byMessage.set(message, phrase);
  return message;
}

/** What a message of one of our schemas says; null for one of the schema library. */
export function phraseOfMessage(message: string): Phrase | null {
  return byMessage.get(message) ?? null;
}
