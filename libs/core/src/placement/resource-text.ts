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
  const isOne = amountText(name, amount) === '1';
  if (name === 'cpuMillis') return isOne ? 'core' : 'cores';
  if (name === 'gpuCount') return isOne ? 'GPU' : 'GPUs';
  return name === 'memoryMib' ? 'GiB memory' : 'GiB disk';
}

/** "2 cores, 4 GiB memory"; "nothing" when no resource is asked for. */
export function resourcesText(resources: Resources): string {
  const parts = resourceNames
    .filter((name) => resources[name] !== 0)
    .map((name) => `${amountText(name, resources[name])} ${unitText(name, resources[name])}`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
