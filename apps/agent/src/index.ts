export { type AgentConfig, parseConfig } from './config.js';
export { measurePerformance, REFERENCE_ROUNDS_PER_SECOND } from './performance/measure-performance.js';
