import type { GpuLoad, NodeListItem } from '@medley/contracts';
import { formatMib } from '../../format/quantity.js';

type Translate = (key: string, values?: Record<string, unknown>) => string;

/** What a machine really uses of one thing: `mark` in the unit of its capacity, null where nobody measured it. */
export interface Used {
  mark: number | null;
  used: string | undefined;
}

const nothing: Used = { mark: null, used: undefined };

/** Use at the moment by resource. The load of a node that does not answer is a thing of the past and is not told. */
export function usedOf(
  node: Pick<NodeListItem, 'state' | 'load' | 'capacity'>,
  t: Translate,
): Record<'cpu' | 'memory' | 'disk' | 'gpu', Used> {
  const { load, capacity } = node;
  if (load === null || node.state !== 'online') return { cpu: nothing, memory: nothing, disk: nothing, gpu: nothing };
  const tell = (amount: string) => t('nodes.usedNow', { amount });
  const memory = `${formatMib(load.memoryUsedMib)} / ${formatMib(load.memoryTotalMib)}`;
  return {
    cpu: { mark: (load.cpuPercent / 100) * capacity.cpuMillis, used: tell(`${Math.round(load.cpuPercent)} %`) },
    memory: { mark: load.memoryUsedMib, used: tell(memory) },
    // What an agent offers is what was free when it joined, so what is gone of that since then is in use.
    disk: { mark: Math.max(0, capacity.diskMib - load.diskFreeMib), used: diskText(load, t) },
    gpu: load.gpus ? gpuUsed(load.gpus, t) : { mark: null, used: t('nodes.useNotMeasured') },
  };
}

function diskText({ diskFreeMib, diskTotalMib }: NonNullable<NodeListItem['load']>, t: Translate): string {
  if (diskTotalMib === undefined) return t('nodes.freeNow', { amount: formatMib(diskFreeMib) });
  return t('nodes.usedNow', { amount: `${formatMib(diskTotalMib - diskFreeMib)} / ${formatMib(diskTotalMib)}` });
}

/** Half busy on two GPUs is as much as one of them busy. */
function gpuUsed(gpus: readonly GpuLoad[], t: Translate): Used {
  const sum = (of: (gpu: GpuLoad) => number) => gpus.reduce((total, gpu) => total + of(gpu), 0);
  const busy = sum(({ busyPercent }) => busyPercent);
  const memory = `${formatMib(sum(({ memoryUsedMib }) => memoryUsedMib))} / ${formatMib(sum(({ memoryTotalMib }) => memoryTotalMib))}`;
  return { mark: busy / 100, used: t('nodes.gpuNow', { percent: Math.round(busy / gpus.length), memory }) };
}
