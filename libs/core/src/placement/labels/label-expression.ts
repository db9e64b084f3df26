/** The syntax tree of a label expression such as `os = linux and zone in (dc1, dc2) and not gpu = t4`. */
export type LabelExpression =
  | { kind: 'equals' | 'not-equals'; key: string; value: string }
  | { kind: 'in' | 'not-in'; key: string; values: string[] }
  | { kind: 'exists'; key: string }
  | { kind: 'not'; operand: LabelExpression }
  | { kind: 'and' | 'or'; operands: LabelExpression[] };

export const labelKeywords: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'exists']);

/** Characters of a name or value that needs no quotes. */
export const bareWordPattern = /^[\p{L}\p{N}_./:@+-]+$/u;
