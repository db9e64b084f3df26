export * from './read-outputs.js';
