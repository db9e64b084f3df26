/** The parts of a JSON Schema that completion reads. */
export interface JsonSchema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

/** The schemas that may apply at a path of keys. Choices are all followed, as the reader has not decided yet. */
export function schemasAt(root: JsonSchema, path: readonly string[]): JsonSchema[] {
  let found = spread(root, root);
  for (const key of path) {
    const next = found.flatMap((schema) => {
      const own = schema.properties?.[key];
      if (own !== undefined) return [own];
      return typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : [];
    });
    found = next.flatMap((schema) => spread(root, schema));
  }
  return found;
}

/** The keys that may stand in the map at a path. */
export function keysAt(root: JsonSchema, path: readonly string[]): { key: string; takesMap: boolean }[] {
  const keys = new Map<string, boolean>();
  for (const schema of schemasAt(root, path)) {
    for (const [key, value] of Object.entries(schema.properties ?? {})) {
      const takesMap = spread(root, value).some((each) => each.properties !== undefined || typeof each.additionalProperties === 'object');
      keys.set(key, (keys.get(key) ?? false) || takesMap);
    }
  }
  return [...keys].map(([key, takesMap]) => ({ key, takesMap }));
}

/** The values of a choice at a path; empty where any value may stand. */
export function valuesAt(root: JsonSchema, path: readonly string[]): string[] {
  const values = schemasAt(root, path).flatMap((schema) => {
    if (schema.enum !== undefined) return schema.enum.map(String);
    if (schema.const !== undefined) return [String(schema.const)];
    return schema.type === 'boolean' ? ['true', 'false'] : [];
  });
  return [...new Set(values)];
}

function spread(root: JsonSchema, schema: JsonSchema): JsonSchema[] {
  const target = schema.$ref === undefined ? schema : root.$defs?.[schema.$ref.replace('#/$defs/', '')];
  if (target === undefined) return [];
  const choices = target.anyOf ?? target.oneOf;
  return choices === undefined ? [target] : choices.flatMap((choice) => spread(root, choice));
}
