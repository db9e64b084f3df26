import type { ASTNode } from '@marcbachmann/cel-js';
import { type Phrase, phrase } from '../phrases/index.js';
import { checkSyntax } from './check-syntax.js';
import { language } from './functions.js';
import { readLibraryError } from './library-errors.js';
import { type ExpressionFault, findNames, type Reference, type RootShapes, rootForms, workflowRoots } from './references.js';

/** An expression that can be read; whether its names have values is not said yet. */
export interface Expression {
  source: string;
  references: readonly Reference[];
  /** The expression is one name and nothing else, so that its value is passed on as it is. */
  plain: boolean;
  /** The text given to the library: each reference replaced by a variable of the same length. */
  masked: string;
}

export type ParsedExpression = { ok: true; expression: Expression } | { ok: false; faults: ExpressionFault[] };

export const maxExpressionLength = 2000;

const remembered = new Map<string, ParsedExpression>();
const maxRemembered = 2000;

/** Reads an expression whose names begin with one of `shapes`. Every fault is told with its place. Never throws. */
export function parseExpression(source: string, shapes: RootShapes = workflowRoots): ParsedExpression {
  if (shapes !== workflowRoots) return read(source, shapes);
  const known = remembered.get(source);
  if (known !== undefined) return known;
  const parsed = read(source, shapes);
  if (remembered.size >= maxRemembered) remembered.clear();
  remembered.set(source, parsed);
  return parsed;
}

function read(source: string, shapes: RootShapes): ParsedExpression {
  const refuse = (text: Phrase): ParsedExpression => ({ ok: false, faults: [{ text, offset: 0 }] });
  if (source.trim() === '') return refuse(phrase('reference-empty', { names: rootForms(shapes) }));
  if (source.length > maxExpressionLength) return refuse(phrase('expression-too-long', { limit: maxExpressionLength }));
  const { references, faults } = findNames(source, shapes);
  if (faults.length > 0) return { ok: false, faults };
  const [only] = references;
  const plain = only !== undefined && !only.presence && only.length === source.trim().length;
  const expression: Expression = { source, references, plain, masked: plain ? '' : mask(source, references) };
  const syntax = plain ? [] : faultsOfSyntax(expression, shapes);
  return syntax.length === 0 ? { ok: true, expression } : { ok: false, faults: syntax };
}

function faultsOfSyntax(expression: Expression, shapes: RootShapes): ExpressionFault[] {
  try {
    const { ast } = language.parse(expression.masked);
    return checkSyntax(ast as ASTNode, new Set(expression.references.map((_, index) => variableOf(expression, index))), shapes);
  } catch (error) {
    return [readLibraryError(expression, error)];
  }
}

/** The variable that stands for a reference: as long as it, so that the places in the text stay as they are. */
export function variableOf({ references }: Pick<Expression, 'references'>, index: number): string {
  return `_${index}`.padEnd(references[index]!.length, '_');
}

function mask(source: string, references: readonly Reference[]): string {
  let masked = '';
  let at = 0;
  for (const [index, { offset, length }] of references.entries()) {
    masked += source.slice(at, offset) + variableOf({ references }, index);
    at = offset + length;
  }
  return masked + source.slice(at);
}
