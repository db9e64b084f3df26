/**
 * The work that is timed: integer mixing, floating point and scattered memory access in a table that fits a core's second-level cache,
 * about what scripts do. The same on every machine, so rates compare.
 */
export function createCpuKernel(): (rounds: number) => number {
  const table = new Float64Array(8192);
  for (let index = 0; index < table.length; index += 1) {
    table[index] = (index * 2654435761) % 1021;
  }
  let state = 0x9e3779b9;
  return (rounds) => {
    let sum = 0;
    for (let round = 0; round < rounds; round += 1) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      const at = (state >>> 0) & 8191;
      const value = table[at]! * 1.000001 + (round & 15);
      table[at] = value > 1e6 ? value - 1e6 : value;
      sum += value;
    }
    return sum;
  };
}
