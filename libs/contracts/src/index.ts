export * from './agent/index.js';
export * from './rest/index.js';
export * from './workflow/index.js';
