export * from './api-tokens.js';
export * from './groups.js';
export * from './join-tokens.js';
export * from './members.js';
export * from './sessions.js';
export * from './sign-in.js';
export * from './users.js';
