export { faultsOfRules } from './check-rules.js';
export * from './check-value.js';
export * from './declaration.js';
export * from './map-payload.js';
export * from './render.js';
export * from './resolve.js';
export * from './template.js';
