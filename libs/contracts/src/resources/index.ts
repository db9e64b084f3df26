export * from './cpu.js';
export * from './data-size.js';
export * from './duration.js';
