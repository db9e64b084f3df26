/** limit: named by teams. mutex: a limit of one. quota: what a project may hold of a resource. */
export const limitKinds = ['limit', 'mutex', 'quota'] as const;
export type LimitKind = (typeof limitKinds)[number];

/** What a quota counts: resources as in `Resources`, or attempts that run at the same time. */
export const quotaResources = ['cpuMillis', 'memoryMib', 'gpuCount', 'attempts'] as const;
export type QuotaResource = (typeof quotaResources)[number];

/** At most so many starts within a window of time. */
export interface LimitRate {
  starts: number;
  seconds: number;
  /** Starts within the window that ends now; never counted beyond `starts`. */
  started: number;
  /** When the next start is allowed, once `started` has reached `starts`. */
  nextAtMs: number | null;
}

/** Who holds slots of a limit, as a reason tells it. */
export interface LimitHolder {
  taskRunId: string;
  runId: string;
  workflow: string;
  task: string;
  slots: number;
}

/** A limit as a turn's snapshot saw it, locked against other pools until the turn is written. JSON-serialisable. */
export interface LimitSnapshot {
  id: string;
  kind: LimitKind;
  /** Its own name; of a quota the project's. */
  name: string;
  resource?: QuotaResource;
  /** null: any number at the same time; only its rate counts. */
  slots: number | null;
  taken: number;
  rate?: LimitRate;
  /** The first few that hold it. */
  holders: LimitHolder[];
  holderCount: number;
  /** The first request of another pool that waits for slots of this limit: a later one must not take them from under it. */
  awaited?: { slots: number; priority: number; readyAtMs: number };
}

/** So many slots of a limit, held from placement to the end of the attempt. */
export interface LimitTake {
  limit: string;
  slots: number;
}
