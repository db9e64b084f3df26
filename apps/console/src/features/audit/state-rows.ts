export interface StateRow {
  /** Dotted, for what is inside a map. */
  field: string;
  before: string | null;
  after: string | null;
}

type State = Readonly<Record<string, unknown>> | null;

/** What was and what is, field by field; maps are opened, everything else is told as a whole. Null is a side without the field. */
export function stateRows(before: State, after: State): StateRow[] {
  const [was, is] = [flat(before), flat(after)];
  const fields = [...new Set([...was.keys(), ...is.keys()])].sort();
  return fields.map((field) => ({ field, before: was.get(field) ?? null, after: is.get(field) ?? null }));
}

function flat(state: State, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(state ?? {}).flatMap(([key, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
        ? [...flat(value as State, `${prefix}${key}.`)]
        : [[`${prefix}${key}`, typeof value === 'string' ? value : JSON.stringify(value)] as const],
    ),
  );
}
