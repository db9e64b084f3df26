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

  it('tells what is missing beside a setting of S3 together with all other faults', () => {
    const read = () =>
      readServerConfig({ ...database, MEDLEY_PORT: 'eighty', MEDLEY_S3_ACCESS_KEY_ID: 'key', MEDLEY_S3_ENDPOINT: 's3.example' });
    expect(read).toThrow(
      /4 faults[\s\S]*MEDLEY_PORT[\s\S]*MEDLEY_S3_ENDPOINT[\s\S]*MEDLEY_S3_BUCKET: is missing[\s\S]*MEDLEY_S3_SECRET_ACCESS_KEY: is missing/,
    );
    const secret = () => readServerConfig({ ...database, MEDLEY_S3_BUCKET: 'medley', MEDLEY_S3_SECRET_ACCESS_KEY: 'secret' });
    expect(secret).toThrow(/MEDLEY_S3_ACCESS_KEY_ID: is missing/);
  });

  it('keeps blobs in the data directory, or in the bucket when one is named', () => {
    expect(readServerConfig({ ...database, MEDLEY_DATA_DIR: '/srv/medley' }).blobStore).toEqual({ dataDir: '/srv/medley', s3: null });
    expect(readServerConfig({ ...database, MEDLEY_S3_BUCKET: 'medley' }).blobStore.s3).toEqual({
      endpoint: null,
      region: 'us-east-1',
      bucket: 'medley',
      credentials: null,
      pathStyle: false,
    });
    const own = { MEDLEY_S3_BUCKET: 'medley', MEDLEY_S3_ENDPOINT: 'http://minio:9000/' };
    expect(readServerConfig({ ...database, ...own }).blobStore.s3).toMatchObject({ endpoint: 'http://minio:9000', pathStyle: true });
  });

  it('refuses to remove logs before they would be archived', () => {
    const read = () => readServerConfig({ ...database, MEDLEY_LOG_ARCHIVE_AFTER_HOURS: '48', MEDLEY_LOG_RETENTION_DAYS: '2' });
    expect(read).toThrow(/MEDLEY_LOG_ARCHIVE_AFTER_HOURS: must be less/);
  });

  it('refuses a lease that is shorter than the silence after which a node counts as unreachable', () => {
    expect(() => readServerConfig({ ...database, MEDLEY_LEASE_SECONDS: '20' })).toThrow(/MEDLEY_UNREACHABLE_SECONDS/);
  });
});
