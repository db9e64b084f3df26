export const GRAPHILE_SCHEMA = 'graphile_peer';
/** The figures of graphile-worker's own performance test: jobs at once per process, and connections for them. */
export const GRAPHILE_CONCURRENCY = 24;
export const GRAPHILE_POOL_SIZE = 25;
