import type { LimitHolder, LimitKind, QuotaResource } from './limits/limit-snapshot.js';
import type { ResourceName, Resources } from './resources.js';

/** What keeps one node from taking a request. Amounts are in thousandths of cores, MiB and GPUs, as `resource` names them. */
export type Obstacle =
  | { code: 'attempts-full'; held: number; max: number }
  | { code: 'reserved'; resource: ResourceName; reserved: number; capacity: number }
  | { code: 'too-small'; resource: ResourceName; capacity: number; asked: number }
  | { code: 'labels-differ'; labels: string }
  | { code: 'overloaded'; cpuPercent: number; maxCpuPercent: number }
  | { code: 'no-performance'; performance: number }
  | { code: 'no-runtime'; runtime: string; platform: string; runtimes: string }
  | { code: 'draining' | 'cordoned' | 'offline' | 'silent' | 'cannot-mask' | 'cannot-move-files' };

export const obstacleCodes = [
  ...(['attempts-full', 'reserved', 'too-small', 'labels-differ', 'overloaded', 'no-performance', 'no-runtime'] as const),
  ...(['draining', 'cordoned', 'offline', 'silent', 'cannot-mask', 'cannot-move-files'] as const),
] satisfies Obstacle['code'][];

/** A limit that keeps a request waiting. `slots`, `taken` and `asks` are in the quota's unit where it is a quota: thousandths of cores, MiB, GPUs, attempts. */
export interface LimitWait {
  /** Missing for a quota, which is found by its project. */
  id?: string;
  kind: LimitKind;
  name: string;
  resource?: QuotaResource;
  code: 'small' | 'full' | 'rate';
  slots: number | null;
  taken: number;
  asks: number;
  starts?: number;
  seconds?: number;
  nextAt?: string;
  holders: LimitHolder[];
  more: number;
}

/** What the text of a reason to wait holds, for programs and for readers of other languages. What is absent, the reason does not speak of. */
export type WaitValues = {
  /** The first nodes in the way, with what is in the way there. */
  nodes?: { node: string; obstacle: Obstacle }[];
  /** How many more there are. */
  more?: number;
  /** What was asked for, where nothing could ever give it. */
  asks?: Resources & { runtime: string | null; labels: boolean };
  labels?: string;
  limits?: LimitWait[];
};
