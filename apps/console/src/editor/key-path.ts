/** Where in a block of YAML a line stands: the keys above it, by indentation. */
export interface LinePlace {
  path: string[];
  /** The key on the line itself, when it has one already. */
  key: string | null;
  /** What was typed so far of the key, or of the value behind the colon. */
  typed: string;
  isValue: boolean;
}

const keyLine = /^(\s*)(?:- +)?([A-Za-z_][\w.-]*):(\s.*)?$/;

/** Finds the place of the last line of a text that ends at the cursor. Comments and lists of plain values have no keys. */
export function placeOf(textToCursor: string): LinePlace | null {
  const lines = textToCursor.split('\n');
  const current = lines.pop() ?? '';
  if (/^\s*#/.test(current)) return null;
  const indent = current.search(/\S|$/);
  const withValue = /^(\s*)([A-Za-z_][\w.-]*):\s+(\S*)$/.exec(current);
  if (withValue !== null) return { path: pathAbove(lines, indent), key: withValue[2]!, typed: withValue[3]!, isValue: true };
  const typedKey = /^\s*([A-Za-z_][\w.-]*)?$/.exec(current);
  if (typedKey === null) return null;
  return { path: pathAbove(lines, indent), key: null, typed: typedKey[1] ?? '', isValue: false };
}

function pathAbove(lines: readonly string[], indent: number): string[] {
  const path: string[] = [];
  let limit = indent;
  for (let at = lines.length - 1; at >= 0 && limit > 0; at -= 1) {
    const match = keyLine.exec(lines[at]!);
    if (match === null || match[1]!.length >= limit) continue;
    path.unshift(match[2]!);
    limit = match[1]!.length;
  }
  return path;
}
