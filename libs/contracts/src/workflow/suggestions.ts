import { hintOf, nearestName, type PhraseValue } from '@medley/core';

const maxSuggestions = 25;

/** Finds what a mistyped name may have meant. One per file: after some suggestions it gives none, so that a file of mistakes stays cheap. */
export class Suggestions {
  private left = maxSuggestions;

  /** The end of a message, `; did you mean …?`, or nothing. */
  hint(name: string, candidates: Iterable<string>): PhraseValue {
    return hintOf(this.left-- > 0 ? nearestName(name, candidates) : null);
  }
}
