import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;

/** Collects the JSON schemas of a document: every zod schema with an id becomes a component that others refer to. */
export class SchemaCollection {
  readonly components: Record<string, JsonSchema> = {};

  /** The schema of a value as it is sent (`input`) or as it is answered (`output`). */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' }) as JsonSchema & {
      $defs?: Record<string, JsonSchema>;
    };
    const id = schema.meta()?.id;
    // A schema with an id may come as a reference to its own definition.
    const definitions: Record<string, JsonSchema> = { ...(id ? { [id]: root } : {}), ...$defs };
    const names = new Map(Object.entries(definitions).map(([name, body]) => [name, this.nameFor(name, body, io)]));
    for (const [name, body] of Object.entries(definitions)) this.components[names.get(name)!] = refer(body, names);
    return id ? { $ref: `#/components/schemas/${names.get(id)}` } : refer(root, names);
  }

  /** What is sent may differ from what is answered (defaults); then both exist. */
  private nameFor(name: string, body: JsonSchema, io: 'input' | 'output'): string {
    const identity = new Map<string, string>();
    const known = this.components[name];
    if (io === 'output' || known === undefined) return name;
    return JSON.stringify(known) === JSON.stringify(refer(body, identity)) ? name : `${name}Input`;
  }
}

/** Points `#/$defs/X` to where the component is. */
function refer(node: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const text = JSON.stringify(node, (key, value) => {
    if (key === 'id' && typeof value === 'string' && names.has(value)) return undefined;
    if (key !== '$ref' || typeof value !== 'string') return value;
    const name = value.replace('#/$defs/', '').replace('#/components/schemas/', '');
    return `#/components/schemas/${names.get(name) ?? name}`;
  });
  return JSON.parse(text) as JsonSchema;
}
