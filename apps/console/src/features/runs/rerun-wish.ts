import type { RerunMode } from '@medley/contracts';

/** A rerun as the reader asks for it, before it is started. */
export interface RerunWish {
  mode: RerunMode;
  /** The tasks to begin from, with mode `from`. */
  tasks?: readonly string[];
  descendants?: boolean;
}

export const isSameWish = (left: RerunWish | null, right: RerunWish | null): boolean => JSON.stringify(left) === JSON.stringify(right);
