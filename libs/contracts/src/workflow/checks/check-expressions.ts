import {
  checkTypes,
  type Expression,
  findExpressions,
  hasReference,
  type Phrase,
  parseExpression,
  phrase,
  type RootShapes,
  type ValueType,
  workflowRoots,
} from '@medley/core';
import type { PathSegment, WorkflowFault } from '../fault.js';
import { checkName, type ExpressionScope, typeOfName } from './expression-scope.js';

/** The names and the operations of every `${{ }}` in a text. What cannot be read is reported by the text's own schema. */
export function checkTemplate(path: PathSegment[], text: unknown, scope: ExpressionScope): WorkflowFault[] {
  if (typeof text !== 'string' || !hasReference(text)) return [];
  return findExpressions(text).expressions.flatMap(({ expression }) => checkMeaningOf(path, expression, scope));
}

/** A key whose whole text is an expression, as `when` is; `wanted` is the type it has to have, any when left out. */
export function checkBareExpression(
  path: PathSegment[],
  text: unknown,
  scope: ExpressionScope,
  wanted?: ValueType,
  shapes: RootShapes = workflowRoots,
): WorkflowFault[] {
  if (typeof text !== 'string') return [];
  const parsed = parseExpression(text, shapes);
  return parsed.ok ? checkMeaningOf(path, parsed.expression, scope, wanted) : [];
}

function checkMeaningOf(path: PathSegment[], expression: Expression, scope: ExpressionScope, wanted?: ValueType): WorkflowFault[] {
  const names = expression.references.flatMap((reference): WorkflowFault[] => {
    const fault = checkName(reference, scope);
    return fault === null ? [] : [{ path, ...fault }];
  });
  if (names.length > 0) return names;
  const checked = checkTypes(expression, (reference) => typeOfName(reference, scope.declared));
  if (!checked.ok)
    return checked.faults.map(({ text, offset }) => ({
      path,
      text: phrase('expression-fault-at', { source: `\`${shorten(expression.source)}\``, fault: text, position: offset + 1 }),
    }));
  if (wanted === undefined || checked.type === wanted || checked.type === 'any') return [];
  return [
    {
      path,
      text: phrase('expression-is', { source: shorten(expression.source), form: tellType(checked.type) }),
      expected: tellType(wanted),
    },
  ];
}

const typePhrases = {
  text: phrase('a-text'),
  number: phrase('a-number'),
  boolean: phrase('true-or-false'),
  any: phrase('any-value'),
} as const;

function tellType(type: ValueType): Phrase {
  if (!type.startsWith('list of ')) return typePhrases[type as keyof typeof typePhrases];
  return phrase('list-of', { form: typePhrases[type.slice('list of '.length) as keyof typeof typePhrases] });
}

function shorten(source: string): string {
  return source.length > 60 ? `${source.slice(0, 57)}...` : source;
}
