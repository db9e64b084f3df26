export { diesWithParent, startChild, untilReady } from './child.mjs';
export { freePort, isPortFree, nextFreePort } from './ports.mjs';
export { startPostgres } from './postgres.mjs';
export { isSameProcess, listProcesses, readProcess, workingDirectory } from './processes.mjs';
export { findProgram, isRoot } from './programs.mjs';
export { findRedis, startRedis } from './redis.mjs';
