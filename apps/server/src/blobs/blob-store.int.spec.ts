import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type S3Server, startS3, temporaryDirectory } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlobStore } from './blob-store.js';
import { LocalBlobStore } from './local-blob-store.js';
import { S3BlobStore } from './s3-blob-store.js';

const MIB = 1024 * 1024;

async function* pieces(...parts: (Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}
const bytesOf = async (blob: Readable | null) => blob && buffer(blob);
const keysOf = async (store: BlobStore, prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys.toSorted();
};

const directory = temporaryDirectory('blobs');
let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => {
  await s3.stop();
  directory.remove();
});

const s3Store = (bucket = s3.bucket, keysPerPage?: number) => {
  const credentials = { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey };
  return new S3BlobStore({ endpoint: s3.endpoint, region: 'us-east-1', bucket, credentials, pathStyle: true }, keysPerPage);
};

describe.each([
  { kind: 'a local directory', open: (): BlobStore => new LocalBlobStore(directory.path) },
  { kind: 'a bucket of an S3 server', open: (): BlobStore => s3Store() },
])('a blob store in $kind', ({ open }) => {
  let store: BlobStore;
  beforeAll(() => {
    store = open();
  });

  it('gives back what was put, whole and in ranges, and what replaced it', async () => {
    await store.put('a/text', pieces(Buffer.from('hello '), Buffer.from('world')));
    expect(String(await bytesOf(await store.get('a/text')))).toBe('hello world');
    expect(String(await bytesOf(await store.get('a/text', { start: 4, end: 6 })))).toBe('o w');
    expect(String(await bytesOf(await store.get('a/text', { start: 9, end: 99 })))).toBe('ld');
    expect(String(await bytesOf(await store.get('a/text', { start: 50, end: 99 })))).toBe('');
    await store.put('a/text', pieces());
    expect(String(await bytesOf(await store.get('a/text')))).toBe('');
  });

  it('takes a stream of unknown length that is larger than one part', async () => {
    const parts = Array.from({ length: 11 }, () => randomBytes(MIB));
    await store.put('large', pieces(...parts));
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    expect(hash((await bytesOf(await store.get('large')))!)).toBe(hash(Buffer.concat(parts)));
    await store.delete('large');
  });

  it('says so when a blob is not there, and removing it again is no error', async () => {
    await store.put('gone/soon', pieces(Buffer.from('x')));
    await store.delete('gone/soon');
    await store.delete('gone/soon');
    expect(await store.get('gone/soon')).toBeNull();
  });

  it('lists by prefix', async () => {
    for (const key of ['p/1/a', 'p/1/b', 'p/10/c', 'q/d']) await store.put(key, pieces(Buffer.from(key)));
    expect(await keysOf(store, 'p/1')).toEqual(['p/1/a', 'p/1/b', 'p/10/c']);
    expect(await keysOf(store, 'p/1/')).toEqual(['p/1/a', 'p/1/b']);
    expect(await keysOf(store, 'none/')).toEqual([]);
  });

  it('stores nothing of a body that fails half-way, keeps what was there, and tells the fault of the body', async () => {
    await store.put('half', pieces(Buffer.from('before')));
    await expect(store.put('half', pieces(randomBytes(6 * MIB), new Error('the source broke')))).rejects.toThrow('the source broke');
    expect(String(await bytesOf(await store.get('half')))).toBe('before');
  });

  it('refuses keys that are none', async () => {
    for (const key of ['../etc', '/a', 'a/../b', 'a//b', '', 'a/.']) await expect(store.get(key), key).rejects.toThrow('no key');
  });

  it('has the same identity for everyone who sees the same blobs', async () => {
    expect(await open().identity()).toBe(await store.identity());
    await store.check();
  });
});

describe('a local blob store', () => {
  it('is another one in another directory', async () => {
    const other = temporaryDirectory('blobs');
    expect(await new LocalBlobStore(other.path).identity()).not.toBe(await new LocalBlobStore(directory.path).identity());
    other.remove();
  });

  it('leaves no unfinished file and no empty folder behind', async () => {
    const own = temporaryDirectory('blobs');
    const store = new LocalBlobStore(own.path);
    await store.put('deep/er/blob', pieces(Buffer.from('x')));
    await expect(store.put('deep/er/other', pieces(new Error('broken')))).rejects.toThrow('broken');
    await store.delete('deep/er/blob');
    expect(readdirSync(join(own.path, 'blobs'))).toEqual([]);
    expect(readdirSync(join(own.path, 'unfinished-blobs'))).toEqual([]);
    own.remove();
  });

  it('is unavailable while its directory cannot be used, and back afterwards', async () => {
    const own = temporaryDirectory('blobs');
    const path = join(own.path, 'data');
    writeFileSync(path, 'a file where the directory should be');
    const store = new LocalBlobStore(path);
    await expect(store.check()).rejects.toMatchObject({ code: 'blob-store-unavailable' });
    await expect(store.put('a', pieces(Buffer.from('x')))).rejects.toMatchObject({ code: 'blob-store-unavailable' });
    rmSync(path);
    await store.check();
    expect(existsSync(join(path, 'store-id'))).toBe(true);
    own.remove();
  });
});

describe('an S3 blob store', () => {
  it('lists beyond one page', async () => {
    const store = s3Store(s3.bucket, 2);
    const keys = ['many/1', 'many/2', 'many/3', 'many/4', 'many/5'];
    for (const key of keys) await store.put(key, pieces(Buffer.from('x')));
    expect(await keysOf(store, 'many/')).toEqual(keys);
  });

  it('is unavailable when its bucket or its server is not there, and back afterwards', async () => {
    await expect(s3Store('no-such-bucket').check()).rejects.toMatchObject({ code: 'blob-store-unavailable' });
    const store = s3Store();
    await store.put('kept', pieces(Buffer.from('kept')));
    await s3.kill9();
    await expect(store.check()).rejects.toMatchObject({ code: 'blob-store-unavailable' });
    await expect(store.get('kept')).rejects.toMatchObject({ code: 'blob-store-unavailable' });
    await s3.start();
    expect(String(await bytesOf(await store.get('kept')))).toBe('kept');
  });
});
