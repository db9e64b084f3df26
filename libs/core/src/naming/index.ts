export * from './nearest-name.js';
