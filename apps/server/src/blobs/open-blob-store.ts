import type { BlobStore } from './blob-store.js';
import type { BlobStoreConfig } from './blob-store-config.js';
import { LocalBlobStore } from './local-blob-store.js';

/**
 * The store that the configuration names; the AWS SDK is loaded only when it is used. Nothing is touched yet: a store that is away does not keep the server
 * from starting.
 */
export async function openBlobStore({ dataDir, s3 }: BlobStoreConfig): Promise<BlobStore> {
  if (!s3) return new LocalBlobStore(dataDir);
  const { S3BlobStore } = await import('./s3-blob-store.js');
  return new S3BlobStore(s3);
}
