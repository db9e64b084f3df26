export * from './decide-access.js';
export * from './permissions.js';
export * from './roles.js';
