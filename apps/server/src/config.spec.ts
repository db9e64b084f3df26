import { describe, expect, it } from 'vitest';
import { readServerConfig } from './config.js';

const database = { MEDLEY_DATABASE_URL: 'postgres://localhost/medley' };

describe('the server configuration', () => {
  it('needs a database and nothing else', () => {
    const config = readServerConfig(database);
    expect(config).toMatchObject({ port: 8080, host: '127.0.0.1', redisUrl: null, leaseSeconds: 60, trustProxy: false });
  });

  it('tells every fault at once', () => {
    const read = () => readServerConfig({ MEDLEY_PORT: 'eighty', MEDLEY_REDIS_URL: 'localhost', MEDLEY_LOG_LEVEL: 'loud' });
    expect(read).toThrow(/4 faults[\s\S]*MEDLEY_DATABASE_URL: is missing[\s\S]*MEDLEY_REDIS_URL[\s\S]*MEDLEY_PORT[\s\S]*MEDLEY_LOG_LEVEL/);
  });

  it('takes an empty value for absent', () => {
    expect(readServerConfig({ ...database, MEDLEY_REDIS_URL: '', MEDLEY_PORT: '' })).toMatchObject({ redisUrl: null, port: 8080 });
  });

  it('refuses a lease that is shorter than the silence after which a node counts as unreachable', () => {
    expect(() => readServerConfig({ ...database, MEDLEY_LEASE_SECONDS: '20' })).toThrow(/MEDLEY_UNREACHABLE_SECONDS/);
  });
});
