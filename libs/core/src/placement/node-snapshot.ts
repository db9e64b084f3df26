import type { Resources } from './resources.js';

/** A registered node of the pool as the turn's snapshot saw it. JSON-serialisable. */
export interface NodeSnapshot {
  id: string;
  name: string;
  labels: Record<string, string>;
  /** `linux`, `darwin` / `macos`, `win32` / `windows`. */
  platform: string;
  runtimes: string[];
  capacity: Resources;
  reserved: Resources;
  cordoned: boolean;
  draining: boolean;
  /** False once the node has been silent for too long. */
  reachable: boolean;
  offline: boolean;
  heldAttempts: number;
  maxAttempts: number;
  /** x, effective: declared or measured (see `effectivePerformance`); 0 is never picked. */
  performance: number;
  /** For each held attempt the seconds it is expected to run on. */
  busyUntilSeconds: number[];
  /** Of all its cores, 0 to 100, as of its latest heartbeat; missing when that is too old to tell. */
  cpuPercent?: number;
  /** Whether its agent can keep prefetched work until there is room. */
  takesPrefetch?: boolean;
  /** False where its agent is too old to mask secrets in output. */
  masksSecrets?: boolean;
  /** False where its agent is too old to keep and fetch working files. */
  movesFiles?: boolean;
  /** What attempts hold that are expected to end within moments; looked up only when something could be sent ahead, else missing. */
  endingSoon?: { attempts: number; resources: Resources };
  /** The pool's `maxCpuPercent`. */
  maxCpuPercent?: number;
}
