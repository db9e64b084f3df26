/** A working file's path, and a pattern over such: relative, `/` between its names, none of them `.` or `..`, nothing that another platform cannot store. */
const MAX_LENGTH = 500;

/** Whether a text is a relative path that stays below where it begins, on every platform. Patterns pass as well, their `*` and `?` being letters. */
export function isPathBelow(path: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (path.length === 0 || path.length > MAX_LENGTH || /[\\\u0000-\u001f\u007f:]/.test(path) || /\p{Cs}/u.test(path)) return false;
  return path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

/**
 * Whether a path is meant by a pattern: `*` stands for any letters of one name, `?` for one of them, and `**` as a whole name for any number of folders. Takes
 * time in proportion to both lengths, whatever the pattern.
 */
export function matchesFilePattern(pattern: string, path: string): boolean {
  return matchesEach(pattern.split('/'), path.split('/'), '**', matchesName);
}

function matchesName(pattern: string, name: string): boolean {
  return matchesEach([...pattern], [...name], '*', (one, letter) => one === '?' || one === letter);
}

/** Whether the parts match one to one, where `any` among the patterns stands for any number of them. */
function matchesEach(
  patterns: readonly string[],
  parts: readonly string[],
  any: string,
  matches: (pattern: string, part: string) => boolean,
) {
  let reached = new Set([0]);
  for (const pattern of patterns) {
    const next = new Set<number>();
    if (pattern === any) {
      for (let at = Math.min(...reached); at <= parts.length; at++) next.add(at);
    } else {
      for (const at of reached) if (at < parts.length && matches(pattern, parts[at]!)) next.add(at + 1);
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(parts.length);
}
