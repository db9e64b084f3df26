/**
 * x^k of every performance relative to the largest, in [0, 1]; computed as exp(k · (ln x − ln x_max)), so that no k overflows. k = 0 gives
 * 1 to every x above 0, infinity gives 1 to the largest only. x = 0 always gets 0, for k = 0 as well.
 */
export function performanceWeights(performances: readonly number[], k: number): number[] {
  let largest = 0;
  for (const x of performances) if (x > largest) largest = x;
  const logLargest = Math.log(largest);
  return performances.map((x) => {
    if (!(x > 0)) return 0;
    if (x === largest || k === 0) return 1;
    if (k === 1) return x / largest;
    return k === Number.POSITIVE_INFINITY ? 0 : Math.exp(k * (Math.log(x) - logLargest));
  });
}
