import { onScopeDispose, type Ref, ref, watch } from 'vue';
import type { SimulationInput, SimulationResult } from './simulate-placement.js';

/** Simulates anew in a worker whenever the input changes; only the answer to the latest input counts. */
export function useSimulation(input: Ref<SimulationInput | null>): Ref<SimulationResult | null> {
  const result = ref<SimulationResult | null>(null);
  const worker = new Worker(new URL('./simulation.worker.ts', import.meta.url), { type: 'module' });
  let latest = 0;
  worker.addEventListener('message', ({ data }: MessageEvent<{ number: number; result: SimulationResult }>) => {
    if (data.number === latest) result.value = data.result;
  });
  watch(
    () => (input.value ? JSON.stringify(input.value) : null),
    (text) => {
      if (text === null) return;
      latest += 1;
      worker.postMessage({ number: latest, input: JSON.parse(text) });
    },
    { immediate: true },
  );
  onScopeDispose(() => worker.terminate());
  return result;
}
