import { inEnglish, type Phrase, phrase } from '@medley/core';
import { Composer, type Document, Lexer, type LineCounter, Parser } from 'yaml';

/** Far deeper than any definition. Composing recurses, and near the end of the stack V8 may abort instead of throwing. */
export const maxNesting = 64;
/** More pieces of syntax than a file of 10,000 full tasks has. */
const maxLexemes = 2_000_000;

/** The text was given up before it could cost too much. */
export class YamlRefusal extends Error {
  constructor(readonly text: Phrase) {
    super(inEnglish(text));
  }
}

/**
 * Composes one YAML 1.2 document under limits: nesting and length are checked while the text is still a stream of tokens. Duplicate
 * keys are left to the caller, since the library compares each key with every other.
 */
export function composeYaml(text: string, lines: LineCounter): Document.Parsed {
  const composer = new Composer({ version: '1.2', uniqueKeys: false, prettyErrors: false, strict: true });
  let first: Document.Parsed | null = null;
  const stackTraceLimit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0; // a broken text may yield a million errors, and nearly all of their cost is the stack trace
  try {
    for (const document of composer.compose(boundedTokens(text, lines), true, text.length)) {
      if (first !== null) throw new YamlRefusal(phrase('several-documents'));
      first = document as Document.Parsed;
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  if (first === null) throw new YamlRefusal(phrase('text-empty'));
  return first;
}

function* boundedTokens(text: string, lines: LineCounter) {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > maxNesting) throw new YamlRefusal(phrase('nested-too-deep', { limit: maxNesting }));
    if (++lexemes > maxLexemes) throw new YamlRefusal(phrase('too-many-pieces'));
  }
  yield* parser.end();
}
