export type ScalarType = 'string' | 'number' | 'integer' | 'boolean' | 'date';
export type ParameterType = ScalarType | 'list';

export const scalarTypes: readonly ScalarType[] = ['string', 'number', 'integer', 'boolean', 'date'];

export type ScalarValue = string | number | boolean;
export type ParameterValue = ScalarValue | ScalarValue[];

/** A parameter as a workflow declares it. `items` belongs to lists, `string` when left out. A default may hold references. */
export interface ParameterDeclaration {
  type: ParameterType;
  items?: ScalarType;
  default?: ParameterValue;
  /** False: a run may begin without a value; true, the default, asks for one where there is no default. */
  required?: boolean;
  /** The least and the greatest number or date, the characters of a text, the items of a list. */
  min?: number | string;
  max?: number | string;
  /** A regular expression that a text, or each text of a list, has to match as a whole. */
  pattern?: string;
  /** The values, or the items, that are allowed. */
  enum?: ScalarValue[];
  description?: string;
}

export type ParameterDeclarations = Readonly<Record<string, ParameterDeclaration>>;
export type ParameterValues = Readonly<Record<string, ParameterValue>>;
