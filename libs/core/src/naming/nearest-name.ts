/** Longer names are not compared: the table grows with the product of the lengths. */
const longestCompared = 64;
/** A suggestion is not worth more than some milliseconds. */
const maxCompared = 10_000;

/**
 * The candidate most like a mistyped name, or null when none is close. Close means at most one edit per three letters, where
 * swapping neighbours counts as one edit (optimal string alignment distance).
 */
export function nearestName(name: string, candidates: Iterable<string>): string | null {
  if (name.length > longestCompared) return null;
  const typed = name.toLowerCase();
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  let compared = 0;
  for (const candidate of candidates) {
    if (++compared > maxCompared) break;
    if (Math.abs(candidate.length - name.length) >= least) continue;
    const distance = editDistance(typed, candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      let best = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + same);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, beforeLast[column - 2]! + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length]!;
}
