export * from './attempt-states.js';
export * from './finish.js';
export * from './reservation-states.js';
export * from './retry.js';
export * from './run-state-phrase.js';
export * from './run-states.js';
export * from './state-table.js';
export * from './task-run-states.js';
