import type { LabelExpression } from './label-expression.js';

/** Whether labels satisfy an expression. As in Kubernetes, `!=` and `not in` also hold where the label is absent. */
export function matchesLabels(expression: LabelExpression, labels: Readonly<Record<string, string>>): boolean {
  switch (expression.kind) {
    case 'equals':
      return labelValue(labels, expression.key) === expression.value;
    case 'not-equals':
      return labelValue(labels, expression.key) !== expression.value;
    case 'in':
      return isAmong(labelValue(labels, expression.key), expression.values);
    case 'not-in':
      return !isAmong(labelValue(labels, expression.key), expression.values);
    case 'exists':
      return labelValue(labels, expression.key) !== undefined;
    case 'not':
      return !matchesLabels(expression.operand, labels);
    case 'and':
      return expression.operands.every((operand) => matchesLabels(operand, labels));
    case 'or':
      return expression.operands.some((operand) => matchesLabels(operand, labels));
  }
}

function labelValue(labels: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function isAmong(value: string | undefined, values: readonly string[]): boolean {
  return value !== undefined && values.includes(value);
}
