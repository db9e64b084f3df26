export * from './data-source.js';
export * from './entities/index.js';
export * from './schema-dump.js';
export * from './transaction.js';
export * from './uuid.js';
