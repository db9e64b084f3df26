import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, HeadBucketCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { assertBlobKey, type BlobEntry, type BlobStore, type ByteRange, storeUnavailable } from './blob-store.js';
import type { S3Config } from './blob-store-config.js';

/** Blobs as objects of one bucket of an S3-compatible store. */
export class S3BlobStore implements BlobStore {
  readonly name: string;
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly place: string;

  constructor(
    config: S3Config,
    private readonly keysPerPage = 1000,
  ) {
    this.bucket = config.bucket;
    this.name = `s3://${config.bucket}`;
    this.place = `${config.endpoint ?? config.region}/${config.bucket}`;
    this.client = new S3Client({
      region: config.region,
      forcePathStyle: config.pathStyle,
      ...(config.endpoint ? { endpoint: config.endpoint } : {}),
      ...(config.credentials ? { credentials: config.credentials } : {}),
      // Checksums in trailers are younger than many S3-compatible stores.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 3,
      requestHandler: { connectionTimeout: 3000, requestTimeout: 30_000, throwOnRequestTimeout: true },
    });
  }

  async identity(): Promise<string> {
    return `s3:${this.place}`;
  }

  /** Sent in parts of 5 MiB; a smaller blob in one request. */
  async put(key: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    assertBlobKey(key);
    let fault: unknown = null;
    const source = Readable.from(
      noting(body, (error) => (fault = error)),
      { objectMode: false },
    );
    try {
      await new Upload({ client: this.client, params: { Bucket: this.bucket, Key: key, Body: source } }).done();
    } catch (error) {
      source.destroy();
      throw fault ?? storeUnavailable(this.name, error);
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable | null> {
    assertBlobKey(key);
    try {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const answer = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: key, Range }));
      return answer.Body as Readable;
    } catch (error) {
      const { name } = error as Error;
      if (name === 'NoSuchKey') return null;
      if (name === 'InvalidRange') return Readable.from([]);
      throw storeUnavailable(this.name, error);
    }
  }

  async delete(key: string): Promise<void> {
    assertBlobKey(key);
    await this.guarded(() => this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key })));
  }

  async *list(prefix: string): AsyncGenerator<BlobEntry> {
    const pages = paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket, Prefix: prefix, MaxKeys: this.keysPerPage });
    for (;;) {
      const page = await this.guarded(() => pages.next());
      if (page.done) return;
      for (const { Key, Size } of page.value.Contents ?? []) if (Key !== undefined) yield { key: Key, bytes: Size ?? 0 };
    }
  }

  async check(): Promise<void> {
    await this.guarded(() => this.client.send(new HeadBucketCommand({ Bucket: this.bucket })));
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storeUnavailable(this.name, error);
    }
  }
}

/** Tells a fault of the source from one of the store. */
async function* noting(body: AsyncIterable<Uint8Array>, note: (error: unknown) => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    note(error);
    throw error;
  }
}
