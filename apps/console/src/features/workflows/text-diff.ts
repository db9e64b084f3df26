export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
  /** Line numbers before and after; null where the line does not exist. */
  before: number | null;
  after: number | null;
}

/** Above this many cells the exact comparison of what differs gives way to "all removed, all added". */
const maxCells = 4_000_000;

/** The lines of two texts with what was removed and added (longest common subsequence between equal beginnings and ends). */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const middle = compare(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const lines = [...old.slice(0, start).map(same), ...middle, ...old.slice(old.length - end).map(same)];
  return numbered(lines);
}

type Unnumbered = Pick<DiffLine, 'kind' | 'text'>;
const same = (text: string): Unnumbered => ({ kind: 'same', text });
const removed = (text: string): Unnumbered => ({ kind: 'removed', text });
const added = (text: string): Unnumbered => ({ kind: 'added', text });

function compare(old: string[], now: string[]): Unnumbered[] {
  if (old.length * now.length > maxCells) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      lengths[at] = old[i] === now[j] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  const lines: Unnumbered[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const at = i * width + j;
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(same(old[i]!));
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && lengths[at + width]! >= lengths[at + 1]!)) {
      lines.push(removed(old[i]!));
      i += 1;
    } else {
      lines.push(added(now[j]!));
      j += 1;
    }
  }
  return lines;
}

function numbered(lines: readonly Unnumbered[]): DiffLine[] {
  let before = 0;
  let after = 0;
  return lines.map((line) => {
    if (line.kind !== 'added') before += 1;
    if (line.kind !== 'removed') after += 1;
    return { ...line, before: line.kind === 'added' ? null : before, after: line.kind === 'removed' ? null : after };
  });
}

/** Only the changed lines with some around them; `null` stands for lines left out. */
export function aroundChanges(lines: readonly DiffLine[], context = 3): (DiffLine | null)[] {
  const near = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'same') continue;
    for (let at = index - context; at <= index + context; at += 1) near.add(at);
  }
  const shown: (DiffLine | null)[] = [];
  for (const [index, line] of lines.entries()) {
    if (near.has(index)) shown.push(line);
    else if (shown.at(-1) !== null && near.size > 0) shown.push(null);
  }
  return shown;
}
