/** Prefetched attempts that may wait on one node when the pool's policy does not say. */
export const defaultPrefetch = 2;
export const maxPrefetch = 16;

/** What may be prefetched, and what it may wait behind: runs that are expected to take no longer than this on their node. */
export const shortSeconds = 1;

/** Expected work that may wait on one node: ample to hide the way of a message, and over before a prefetched attempt is taken back. */
export const maxBacklogSeconds = 2;
