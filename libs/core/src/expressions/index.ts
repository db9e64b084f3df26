export { type CheckedTypes, checkTypes } from './check-types.js';
export { evaluateExpression, type LookUp, lookUpIn } from './evaluate.js';
export { type Expression, maxExpressionLength, type ParsedExpression, parseExpression } from './expression.js';
export { asText, type ExpressionValue, type ValueType } from './expression-value.js';
export { type ExpressionFault, pathText, type Reference, type RootShapes, rootForms, workflowRoots } from './references.js';
