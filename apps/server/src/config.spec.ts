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

  it('needs an address of its own and the client to sign people in by OpenID Connect', () => {
    expect(() => readServerConfig({ ...database, MEDLEY_OIDC_ISSUER: 'https://id.example' })).toThrow(
      /3 faults[\s\S]*PUBLIC_URL: is missing[\s\S]*CLIENT_ID: is missing[\s\S]*CLIENT_SECRET: is missing/,
    );
  });

  it.each([
    [{ MEDLEY_OIDC_ISSUER: 'http://id.example' }, /MEDLEY_OIDC_ISSUER: must be https/],
    [{ MEDLEY_OIDC_SCOPES: 'profile' }, /MEDLEY_OIDC_SCOPES: must hold openid/],
    [{ MEDLEY_PUBLIC_URL: 'https://medley.example/console' }, /MEDLEY_PUBLIC_URL: an address without a path/],
    [{ MEDLEY_LDAP_URL: 'ldap://directory.example', MEDLEY_LDAP_BASE_DN: 'dc=x' }, /MEDLEY_LDAP_URL: would send passwords in clear/],
    [{ MEDLEY_LDAP_URL: 'ldaps://directory.example' }, /MEDLEY_LDAP_BASE_DN: is missing/],
    [{ MEDLEY_LDAP_URL: 'ldaps://d.example', MEDLEY_LDAP_BASE_DN: 'dc=x', MEDLEY_LDAP_BIND_DN: 'cn=a' }, /BIND_PASSWORD: is missing/],
    [{ MEDLEY_LDAP_USER_FILTER: '(uid=*)' }, /MEDLEY_LDAP_USER_FILTER: must hold \{name\}/],
    [{ MEDLEY_LDAP_CA_FILE: '/nowhere/ca.pem' }, /MEDLEY_LDAP_CA_FILE: a file of certificates/],
  ])('refuses %o', (settings, message) => {
    expect(() => readServerConfig({ ...database, ...settings })).toThrow(message);
  });

  it('lets a provider and a directory on this machine do without TLS', () => {
    const config = readServerConfig({
      ...database,
      MEDLEY_PUBLIC_URL: 'http://127.0.0.1:8080/',
      MEDLEY_OIDC_ISSUER: 'http://localhost:9000/realms/a',
      MEDLEY_OIDC_CLIENT_ID: 'medley',
      MEDLEY_OIDC_CLIENT_SECRET: 'long-enough',
      MEDLEY_LDAP_URL: 'ldap://127.0.0.1',
      MEDLEY_LDAP_BASE_DN: 'dc=example',
    });
    expect(config.oidc).toMatchObject({ publicOrigin: 'http://127.0.0.1:8080', userNameClaim: 'preferred_username', groupsClaim: null });
    expect(config.ldap).toMatchObject({ userFilter: '(uid={name})', service: null, groups: null, timeoutSeconds: 5 });
  });
});
