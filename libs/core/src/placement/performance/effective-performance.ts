/** What an agent's benchmark found. Scores are relative to the reference machine, whose scores are 1.0. */
export interface PerformanceMeasurement {
  singleCore: number;
  allCores: number;
  memoryMibPerSecond: number;
  diskMibPerSecond: number;
}

/** Score of the reference machine with all of its cores; a node of performance 2 does twice its work. */
export const referenceAllCores = 1.0;

/** Bounds of an x above 0. Beyond them a measurement is absurd, and weights and expected finishes would overflow. */
const minPerformance = 1e-6;
const maxPerformance = 1e6;

/** Whether a node of this performance may be picked at all. */
export function isPickable(performance: number): boolean {
  return performance >= minPerformance && Number.isFinite(performance);
}

function usable(value: number): number {
  return isPickable(value) ? Math.min(value, maxPerformance) : 0;
}

/**
 * x of a node from its benchmark: the all-cores score relative to the reference. It alone counts because a node runs several attempts side
 * by side and a CPU quota shows in it; the other figures are kept for display. Unusable numbers give 0.
 */
export function measuredPerformance(measurement: PerformanceMeasurement): number {
  return usable(measurement.allCores / referenceAllCores);
}

/**
 * x that placement uses: the operator's declared speed when there is one, else the measured one. Until the first measurement arrives, seconds after the
 * node has joined, it counts as that many reference cores, so that work need not wait for a benchmark.
 */
export function effectivePerformance(node: { declaredSpeed: number | null; measured: number | null; cpuMillis: number }): number {
  return usable(node.declaredSpeed ?? node.measured ?? node.cpuMillis / 1000);
}
