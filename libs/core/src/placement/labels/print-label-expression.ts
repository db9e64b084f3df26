import { bareWordPattern, type LabelExpression, labelKeywords } from './label-expression.js';

/** The canonical text of an expression: parsing it gives the same tree again. */
export function printLabelExpression(expression: LabelExpression): string {
  switch (expression.kind) {
    case 'equals':
      return `${word(expression.key)} = ${word(expression.value)}`;
    case 'not-equals':
      return `${word(expression.key)} != ${word(expression.value)}`;
    case 'in':
      return `${word(expression.key)} in (${expression.values.map(word).join(', ')})`;
    case 'not-in':
      return `${word(expression.key)} not in (${expression.values.map(word).join(', ')})`;
    case 'exists':
      return `${word(expression.key)} exists`;
    case 'not':
      return `not ${operand(expression.operand, ['and', 'or'])}`;
    case 'and':
      return expression.operands.map((each) => operand(each, ['and', 'or'])).join(' and ');
    case 'or':
      return expression.operands.map((each) => operand(each, ['or'])).join(' or ');
  }
}

function operand(expression: LabelExpression, looserKinds: LabelExpression['kind'][]): string {
  const text = printLabelExpression(expression);
  return looserKinds.includes(expression.kind) ? `(${text})` : text;
}

function word(text: string): string {
  const isBare = bareWordPattern.test(text) && !labelKeywords.has(text.toLowerCase());
  return isBare ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}
