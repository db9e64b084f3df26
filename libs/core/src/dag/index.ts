export * from './dag-task.js';
export * from './nesting.js';
export * from './rank.js';
export * from './readiness.js';
export * from './rerun.js';
export * from './validate-dag.js';
