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
  description?: string;
}

export type ParameterDeclarations = Readonly<Record<string, ParameterDeclaration>>;
export type ParameterValues = Readonly<Record<string, ParameterValue>>;
