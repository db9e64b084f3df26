export * from './claims.js';
export * from './file-looks.js';
export * from './files.js';
export * from './node-facts.js';
export * from './protocol.js';
export * from './reports.js';
export * from './session.js';
export * from './work.js';
