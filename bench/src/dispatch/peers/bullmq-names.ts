export const BULLMQ_QUEUE = 'bench';
export const BULLMQ_PREFIX = 'bench-peer';
/** As many messages at once as an agent takes from its queue. */
export const BULLMQ_CONCURRENCY = 64;
