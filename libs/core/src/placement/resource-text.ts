import { inEnglish, type Phrase, type PhraseValue, phrase } from '../phrases/index.js';
import { type ResourceName, type Resources, resourceNames } from './resources.js';

const mibPerGib = 1024;

function decimal(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** The bare number in the unit that `unitText` names: cores, GiB, GPUs. */
export function amountText(name: ResourceName, amount: number): string {
  if (name === 'cpuMillis') return decimal(amount / 1000);
  return name === 'gpuCount' ? decimal(amount) : decimal(amount / mibPerGib);
}

/** The unit of such an amount: "core" for one, "cores" for any other. */
export function unitText(name: ResourceName, amount: number): string {
  return inEnglish(unitPhrase(name, amount));
}

function unitPhrase(name: ResourceName, amount: number): Phrase {
  const isOne = amountText(name, amount) === '1';
  if (name === 'cpuMillis') return phrase(isOne ? 'unit-core' : 'unit-cores');
  if (name === 'gpuCount') return phrase(isOne ? 'unit-gpu' : 'unit-gpus');
  return phrase(name === 'memoryMib' ? 'unit-memory' : 'unit-disk');
}

/** "2 cores, 4 GiB memory"; "nothing" when no resource is asked for. */
export function resourcesText(resources: Resources): string {
  return inEnglish(phrase('all-of', { things: resourcesPhrase(resources) }));
}

/** The same, to stand in another phrase. */
export function resourcesPhrase(resources: Resources): PhraseValue {
  const asked = resourceNames.filter((name) => resources[name] !== 0);
  if (asked.length === 0) return phrase('nothing');
  return asked.map((name) => phrase('amount', { amount: amountText(name, resources[name]), unit: unitPhrase(name, resources[name]) }));
}
