import { z } from 'zod';

/** What a node offers. cpu in thousandths of a core, memory and disk in MiB. */
export const nodeCapacitySchema = z.object({
  cpuMillis: z.number().int().nonnegative(),
  memoryMib: z.number().int().nonnegative(),
  diskMib: z.number().int().nonnegative(),
  gpuCount: z.number().int().nonnegative(),
});
export type NodeCapacity = z.infer<typeof nodeCapacitySchema>;

/** What the agent's benchmark measured; cores are relative to a reference core of 1.0, memory and disk in MiB/s. */
export const measuredPerformanceSchema = z.object({
  singleCore: z.number().nonnegative(),
  allCores: z.number().nonnegative(),
  memoryMibPerSecond: z.number().nonnegative(),
  diskMibPerSecond: z.number().nonnegative(),
});
export type MeasuredPerformance = z.infer<typeof measuredPerformanceSchema>;

/** What a CPU limit on an agent leaves to everything it runs together, in % of one core, and how it is kept. */
export const cpuLimitSchema = z.object({ percent: z.number().positive(), means: z.enum(['quota', 'duty_cycle']) });
export type CpuLimit = z.infer<typeof cpuLimitSchema>;

/** What an agent says of its machine. Labels, pool and caps are not among it: they come from the join token. */
export const nodeFactsSchema = z.object({
  agentVersion: z.string().max(64),
  protocol: z.object({ min: z.number().int(), max: z.number().int() }),
  os: z.enum(['linux', 'darwin', 'win32']),
  arch: z.string().max(32),
  hostname: z.string().max(255),
  runtimes: z.array(z.string().max(64)).max(64),
  capacity: nodeCapacitySchema,
  /** Null without a limit; an agent of an earlier version does not say. */
  cpuLimit: cpuLimitSchema.nullish(),
});
export type NodeFacts = z.infer<typeof nodeFactsSchema>;

export const gpuLoadSchema = z.object({
  busyPercent: z.number().min(0).max(100),
  memoryUsedMib: z.number().nonnegative(),
  memoryTotalMib: z.number().nonnegative(),
});
export type GpuLoad = z.infer<typeof gpuLoadSchema>;

/** Momentary load of a machine. */
export const nodeLoadSchema = z.object({
  cpuPercent: z.number().min(0).max(100),
  memoryUsedMib: z.number().nonnegative(),
  memoryTotalMib: z.number().nonnegative(),
  diskFreeMib: z.number().nonnegative(),
  /** Size of the file system of the agent's home; an agent of an earlier version does not say. */
  diskTotalMib: z.number().nonnegative().optional(),
  /** As nvidia-smi tells; null where it cannot be asked, missing from agents of earlier versions. */
  gpus: z.array(gpuLoadSchema).max(64).nullish(),
  loadAverage: z.number().nonnegative(),
});
export type NodeLoad = z.infer<typeof nodeLoadSchema>;
