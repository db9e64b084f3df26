const NS_PER_TICK = 10_000_000;

/** What a spinning thread knows at the end of a slice; all but the first count from its start. Null where the system does not tell. */
export interface SpinSample {
  atNs: number;
  rounds: number;
  /** What was computed; nobody needs it, but work without a result could be left out by a compiler. */
  checksum: number;
  /** CPU time of the thread. */
  cpuNs: number | null;
  /** Time in which it was ready to run and had no CPU; by kernel version throttling by a quota counts or not. */
  waitNs: number | null;
  /** CPU time of the whole machine, in ticks of 10 ms. */
  busyTicks: number | null;
}

/** One slice of one thread: its end and the end of the slice before. */
export interface Slice {
  from: SpinSample;
  to: SpinSample;
}

/**
 * Rounds per second that these threads get together when nothing but a quota holds them back.
 *
 * The slices are by the wall clock, so a quota of any kind is honoured: what it withholds is missing from the rounds. What *other programs*
 * took is given back, as far as it can be known: no more than the threads waited, no more than others ran meanwhile (a thread that waits while
 * the machine idles was throttled), and never above `limitCores`, the quota that is in force. What is given back counts at the rate at which
 * the threads computed while they had a CPU. A slice may hold more than the quota, when one period's share was run late and the next one's early;
 * that does not count.
 */
export function undisturbedRate(slices: readonly Slice[], limitCores: number): number {
  const sumOf = (read: (sample: SpinSample) => number | null): number | null =>
    slices.reduce<number | null>((sum, { from, to }) => {
      const [before, after] = [read(from), read(to)];
      return sum === null || before === null || after === null ? null : sum + after - before;
    }, 0);
  const rate = slices.reduce((sum, { from, to }) => sum + (to.rounds - from.rounds) / ((to.atNs - from.atNs) / 1e9), 0);
  const wallNs = slices.reduce((sum, { from, to }) => sum + to.atNs - from.atNs, 0) / slices.length;
  const [cpuNs, waitNs] = [sumOf(({ cpuNs }) => cpuNs), sumOf(({ waitNs }) => waitNs)];
  const first = slices[0]!;
  const allowedNs = Math.min(slices.length, limitCores) * wallNs;
  if (cpuNs !== null && cpuNs > allowedNs) return (rate * allowedNs) / cpuNs;
  if (cpuNs === null || waitNs === null || cpuNs <= 0 || first.from.busyTicks === null || first.to.busyTicks === null) return rate;
  const othersNs = Math.max(0, (first.to.busyTicks - first.from.busyTicks) * NS_PER_TICK - cpuNs);
  const roomNs = Math.max(0, allowedNs - cpuNs);
  const takenNs = Math.min(waitNs, othersNs, roomNs);
  return rate * (1 + takenNs / cpuNs);
}

/** The value a quarter of the way from the best to the worst: what remains of disturbance lowers a slice, chance alone raises one. */
export function upperQuartile(rates: readonly number[]): number {
  const sorted = [...rates].sort((a, b) => b - a);
  return sorted[Math.floor(sorted.length / 4)] ?? 0;
}

/** Whether the two best of these differ by no more than this share of the best. */
export function bestAgree(rates: readonly number[], share: number): boolean {
  const [best, second] = [...rates].sort((a, b) => b - a);
  return best !== undefined && second !== undefined && best - second <= share * best;
}
