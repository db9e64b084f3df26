import { execFile } from 'node:child_process';
import { arch, availableParallelism, hostname, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { AGENT_PROTOCOL, type NodeCapacity, type NodeFacts } from '@medley/contracts';
import { readFreeMib } from '../spool/disk-watch.js';
import { readCpuQuotaMillis, readMemoryLimitBytes } from './cgroup-limits.js';

const run = promisify(execFile);
const MIB = 1024 * 1024;
const LEAST_CPU_MILLIS = 250;

export interface MachineInputs {
  cores: number;
  cpuQuotaMillis: number | null;
  totalMemoryBytes: number;
  memoryLimitBytes: number | null;
  diskFreeMib: number;
  gpuCount: number;
}

/** Capacity as offered: the machine's, or its cgroup's where that is less. */
export function capacityOf(machine: MachineInputs): NodeCapacity {
  return {
    cpuMillis: Math.max(LEAST_CPU_MILLIS, Math.floor(Math.min(machine.cores * 1000, machine.cpuQuotaMillis ?? Number.POSITIVE_INFINITY))),
    memoryMib: Math.floor(Math.min(machine.totalMemoryBytes, machine.memoryLimitBytes ?? Number.POSITIVE_INFINITY) / MIB),
    diskMib: Math.floor(machine.diskFreeMib),
    gpuCount: machine.gpuCount,
  };
}

async function countGpus(): Promise<number> {
  try {
    const { stdout } = await run('nvidia-smi', ['--list-gpus'], { timeout: 5000 });
    return stdout.split('\n').filter((line) => line.startsWith('GPU ')).length;
  } catch {
    return 0;
  }
}

/** The real interpreter behind `python3`: a shim in front of it would cost every task its start-up time. Null when there is none. */
export async function findPython(): Promise<string | null> {
  // On Windows the installer of python.org brings no `python3`, and the name may be a shim that opens a shop.
  const name = process.platform === 'win32' ? 'python' : 'python3';
  try {
    const { stdout } = await run(name, ['-c', 'import sys; assert sys.version_info >= (3,); print(sys.executable)'], { timeout: 10_000 });
    return stdout.trim() || name;
  } catch {
    return null;
  }
}

/** The tighter of quota (thousandths of a core) and duty cycle (percent of a core), in percent of a core. */
export function cpuLimitOf(quotaMillis: number | null, sharePercent: number | null): NodeFacts['cpuLimit'] {
  if (sharePercent !== null && sharePercent * 10 <= (quotaMillis ?? Number.POSITIVE_INFINITY)) {
    return { percent: sharePercent, means: 'duty_cycle' };
  }
  return quotaMillis === null ? null : { percent: quotaMillis / 10, means: 'quota' };
}

function smallerOf(one: number | null, other: number | null): number | null {
  return one === null ? other : Math.min(one, other ?? one);
}

/** Looks at the machine once; `sharePercent` of a core is what the agent's own throttle leaves, null without one. */
export async function readNodeFacts(
  home: string,
  agentVersion: string,
  python: string | null,
  sharePercent: number | null,
): Promise<NodeFacts> {
  const quotaMillis = readCpuQuotaMillis();
  const [diskFreeMib, gpuCount] = await Promise.all([readFreeMib(home), countGpus()]);
  const capacity = capacityOf({
    cores: availableParallelism(),
    cpuQuotaMillis: smallerOf(quotaMillis, sharePercent === null ? null : sharePercent * 10),
    totalMemoryBytes: totalmem(),
    memoryLimitBytes: readMemoryLimitBytes(),
    diskFreeMib,
    gpuCount,
  });
  return {
    agentVersion,
    protocol: { ...AGENT_PROTOCOL },
    os: process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux',
    arch: arch(),
    hostname: hostname().slice(0, 255),
    runtimes: ['shell', 'node', ...(python === null ? [] : ['python3'])],
    capacity,
    cpuLimit: cpuLimitOf(quotaMillis, sharePercent),
  };
}
