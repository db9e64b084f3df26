export * from './access/index.js';
export * from './dag/index.js';
export * from './errors/index.js';
export * from './naming/index.js';
export * from './parameters/index.js';
export * from './placement/index.js';
export * from './runs/index.js';
export * from './triggers/index.js';
