import { type SimulationInput, simulatePlacement } from './simulate-placement.js';

/** Keeps the page free while thousands of placements are tried. */
self.addEventListener('message', ({ data }: MessageEvent<{ number: number; input: SimulationInput }>) => {
  self.postMessage({ number: data.number, result: simulatePlacement(data.input) });
});
