import { type Phrase, phrase } from '../../phrases/index.js';
import type { LabelExpression } from './label-expression.js';
import { type LabelSyntaxError, type LabelToken, labelSyntaxError, tokenizeLabels } from './label-tokens.js';

export type LabelParseResult = { ok: true; expression: LabelExpression } | { ok: false; error: LabelSyntaxError };

/** Deep enough for any real expression, shallow enough for the stack of every recursive walk over the tree. */
const maxDepth = 100;

class SyntaxFailure {
  constructor(readonly error: LabelSyntaxError) {}
}

/**
 * Parses a label expression. `not` binds tighter than `and`, `and` tighter than `or`; keywords in any case; names and values with other
 * characters than letters, digits and `_ . / : @ + -` are quoted. An error has its offset and what was expected there.
 */
export function parseLabelExpression(text: string): LabelParseResult {
  const scanned = tokenizeLabels(text);
  if (!scanned.ok) return scanned;
  try {
    return { ok: true, expression: new LabelParser(scanned.tokens).parse() };
  } catch (failure) {
    if (failure instanceof SyntaxFailure) return { ok: false, error: failure.error };
    throw failure;
  }
}

class LabelParser {
  private index = 0;
  private depth = 0;

  constructor(private readonly tokens: LabelToken[]) {}

  parse(): LabelExpression {
    const expression = this.parseChain('or', () => this.parseChain('and', () => this.parseTerm()));
    if (this.current.kind !== 'end') this.fail(phrase('labels-operator-or-end'));
    return expression;
  }

  private parseChain(kind: 'and' | 'or', parseOperand: () => LabelExpression): LabelExpression {
    const operands = [parseOperand()];
    while (this.take('keyword', kind)) operands.push(parseOperand());
    const [only] = operands;
    return only !== undefined && operands.length === 1 ? only : { kind, operands };
  }

  private parseTerm(): LabelExpression {
    if (this.take('keyword', 'not')) return this.nested(() => ({ kind: 'not', operand: this.parseTerm() }));
    if (this.take('keyword', 'exists')) return { kind: 'exists', key: this.word(phrase('labels-name')) };
    if (this.take('symbol', '(')) return this.nested(() => this.parseGroup());
    return this.parseComparison(this.word(phrase('labels-term')));
  }

  private parseGroup(): LabelExpression {
    const inner = this.parseChain('or', () => this.parseChain('and', () => this.parseTerm()));
    if (!this.take('symbol', ')')) this.fail(phrase('labels-operator-or-close'));
    return inner;
  }

  private parseComparison(key: string): LabelExpression {
    if (this.take('symbol', '=')) return { kind: 'equals', key, value: this.word(phrase('labels-value')) };
    if (this.take('symbol', '!=')) return { kind: 'not-equals', key, value: this.word(phrase('labels-value')) };
    if (this.take('keyword', 'in')) return { kind: 'in', key, values: this.valueList() };
    if (this.take('keyword', 'exists')) return { kind: 'exists', key };
    if (!this.take('keyword', 'not')) this.fail(phrase('labels-comparison'));
    if (!this.take('keyword', 'in')) this.fail(phrase('labels-in-after-not'));
    return { kind: 'not-in', key, values: this.valueList() };
  }

  private valueList(): string[] {
    if (!this.take('symbol', '(')) this.fail(phrase('labels-list'));
    const values = [this.word(phrase('labels-value'))];
    while (this.take('symbol', ',')) values.push(this.word(phrase('labels-value')));
    if (!this.take('symbol', ')')) this.fail(phrase('labels-list-end'));
    return values;
  }

  private nested(parseInner: () => LabelExpression): LabelExpression {
    this.depth += 1;
    if (this.depth > maxDepth) this.fail(phrase('labels-nesting', { limit: maxDepth }));
    const inner = parseInner();
    this.depth -= 1;
    return inner;
  }

  private word(expected: Phrase): string {
    const token = this.current;
    if (token.kind !== 'word') this.fail(expected);
    this.index += 1;
    return token.text;
  }

  private take(kind: LabelToken['kind'], text: string): boolean {
    if (this.current.kind !== kind || this.current.text !== text) return false;
    this.index += 1;
    return true;
  }

  private get current(): LabelToken {
    return this.tokens[this.index] as LabelToken;
  }

  private fail(expected: Phrase): never {
    const { kind, text, position } = this.current;
    throw new SyntaxFailure(labelSyntaxError(position, expected, kind === 'end' ? phrase('labels-end') : text));
  }
}
