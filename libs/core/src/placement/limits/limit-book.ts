import type { PlacementRequest } from '../placement-request.js';
import { agedPriority } from '../turn/placement-order.js';
import type { LimitSnapshot, LimitTake } from './limit-snapshot.js';

/** A request that has waited so long also keeps its share of the limits that would have let it pass: of several limits, one is always full otherwise. */
export const keepAfterSeconds = 60;

/** Why a limit does not let a request pass. small: it asks for more slots than there are. full: they are taken, or kept for an earlier one. rate: too many starts. */
export interface LimitObstacle {
  limit: LimitSnapshot;
  code: 'small' | 'full' | 'rate';
  asks: number;
}

interface OpenLimit {
  snapshot: LimitSnapshot;
  /** Slots that may still be taken in this turn; negative when slots were lowered below what is held. */
  free: number;
  freeStarts: number;
  /** An earlier request that waits has had its slots kept. */
  isKept: boolean;
}

/**
 * The limits of a turn while it is decided. A request takes all of its limits or none. One that finds a limit full keeps what is free of it for itself, so that no later
 * one takes slots from under it: many small requests never starve a large one.
 */
export class LimitBook {
  private readonly limits: ReadonlyMap<string, OpenLimit>;

  constructor(
    limits: readonly LimitSnapshot[],
    private readonly nowMs: number,
    private readonly ageingSeconds: number | undefined,
  ) {
    this.limits = new Map(limits.map((snapshot) => [snapshot.id, openLimit(snapshot)]));
  }

  /** The limits that do not let the request pass now, in the order in which they are taken; a limit that is not in the snapshot limits nothing. */
  obstaclesFor(request: PlacementRequest): LimitObstacle[] {
    return this.takesOf(request).flatMap(({ limit, asks }) => {
      const code = this.codeOf(limit, asks, request);
      return code === null ? [] : [{ limit: limit.snapshot, code, asks }];
    });
  }

  take(request: PlacementRequest): void {
    for (const { limit, asks } of this.takesOf(request)) {
      limit.free -= asks;
      limit.freeStarts -= 1;
    }
  }

  /** Keeps slots for a request that has to wait for one of these obstacles. */
  keepFor(request: PlacementRequest, obstacles: readonly LimitObstacle[]): void {
    if (obstacles.some(({ code }) => code === 'small')) return; // it may wait for ever
    const isOld = this.nowMs - request.readyAtMs >= keepAfterSeconds * 1000;
    for (const { limit, asks } of this.takesOf(request)) {
      const lacks = obstacles.some((obstacle) => obstacle.limit === limit.snapshot && obstacle.code === 'full');
      if (limit.isKept || !(lacks || isOld)) continue;
      limit.free = Math.max(Math.min(limit.free, 0), limit.free - asks);
      limit.isKept = true;
    }
  }

  private codeOf(limit: OpenLimit, asks: number, request: PlacementRequest): LimitObstacle['code'] | null {
    const { slots, awaited } = limit.snapshot;
    if (slots !== null && asks > slots) return 'small';
    const kept = awaited !== undefined && !limit.isKept && this.isBefore(awaited, request) ? awaited.slots : 0;
    if (asks > limit.free - kept) return 'full';
    return limit.freeStarts > 0 ? null : 'rate';
  }

  private isBefore(other: Pick<PlacementRequest, 'priority' | 'readyAtMs'>, request: PlacementRequest): boolean {
    const order = agedPriority(other, this.ageingSeconds) - agedPriority(request, this.ageingSeconds);
    return order > 0 || (order === 0 && other.readyAtMs < request.readyAtMs);
  }

  private takesOf({ takes = [] }: PlacementRequest): { limit: OpenLimit; asks: number }[] {
    return takes.flatMap(({ limit: id, slots }: LimitTake) => {
      const limit = this.limits.get(id);
      return limit === undefined ? [] : [{ limit, asks: slots }];
    });
  }
}

function openLimit(snapshot: LimitSnapshot): OpenLimit {
  const { slots, taken, rate } = snapshot;
  return {
    snapshot,
    free: slots === null ? Number.POSITIVE_INFINITY : slots - taken,
    freeStarts: rate === undefined ? Number.POSITIVE_INFINITY : rate.starts - rate.started,
    isKept: false,
  };
}
