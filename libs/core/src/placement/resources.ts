/** What a node offers or a task asks for. CPU in thousandths of a core, memory and disk in MiB, whole GPUs. */
export interface Resources {
  cpuMillis: number;
  memoryMib: number;
  diskMib: number;
  gpuCount: number;
}

export type ResourceName = keyof Resources;

/** In the order in which a shortage is reported. */
export const resourceNames: readonly ResourceName[] = ['cpuMillis', 'memoryMib', 'diskMib', 'gpuCount'];

export const noResources: Readonly<Resources> = Object.freeze({ cpuMillis: 0, memoryMib: 0, diskMib: 0, gpuCount: 0 });

export function addResources(left: Resources, right: Resources): Resources {
  return {
    cpuMillis: left.cpuMillis + right.cpuMillis,
    memoryMib: left.memoryMib + right.memoryMib,
    diskMib: left.diskMib + right.diskMib,
    gpuCount: left.gpuCount + right.gpuCount,
  };
}

/** May go below zero: a node whose cap was lowered under what it holds has a negative rest. */
export function subtractResources(left: Resources, right: Resources): Resources {
  return {
    cpuMillis: left.cpuMillis - right.cpuMillis,
    memoryMib: left.memoryMib - right.memoryMib,
    diskMib: left.diskMib - right.diskMib,
    gpuCount: left.gpuCount - right.gpuCount,
  };
}

/** A resource that is not asked for always fits, even where it is over-committed already. */
function amountFits(asked: number, free: number): boolean {
  return asked === 0 || asked <= free;
}

export function resourcesFit(asked: Resources, free: Resources): boolean {
  return (
    amountFits(asked.cpuMillis, free.cpuMillis) &&
    amountFits(asked.memoryMib, free.memoryMib) &&
    amountFits(asked.diskMib, free.diskMib) &&
    amountFits(asked.gpuCount, free.gpuCount)
  );
}

/** The first resource that does not fit, or null when everything does. */
export function firstShortage(asked: Resources, free: Resources): ResourceName | null {
  return resourceNames.find((name) => !amountFits(asked[name], free[name])) ?? null;
}

/** The largest reserved share of any resource (0 to 1 and above): how full the node is where it is fullest. */
export function dominantShare(reserved: Resources, capacity: Resources): number {
  let share = 0;
  for (const name of resourceNames) {
    if (capacity[name] > 0) share = Math.max(share, reserved[name] / capacity[name]);
  }
  return share;
}
