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

export function unitText(name: ResourceName): string {
  const units: Record<ResourceName, string> = { cpuMillis: 'cores', memoryMib: 'GiB memory', diskMib: 'GiB disk', gpuCount: 'GPUs' };
  return units[name];
}

/** "2 cores, 4 GiB memory"; "nothing" when no resource is asked for. */
export function resourcesText(resources: Resources): string {
  const parts = resourceNames
    .filter((name) => resources[name] !== 0)
    .map((name) => `${amountText(name, resources[name])} ${unitText(name)}`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
