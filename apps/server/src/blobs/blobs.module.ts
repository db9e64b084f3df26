import { Global, Module } from '@nestjs/common';
import { ServerConfig } from '../config.js';
import { BLOB_STORE } from './blob-store.js';
import { BlobStoreWatch } from './blob-store-watch.js';
import { openBlobStore } from './open-blob-store.js';

/** The one blob store of the process, and the watch over it. */
@Global()
@Module({
  providers: [
    { provide: BLOB_STORE, inject: [ServerConfig], useFactory: (config: ServerConfig) => openBlobStore(config.blobStore) },
    BlobStoreWatch,
  ],
  exports: [BLOB_STORE, BlobStoreWatch],
})
export class BlobsModule {}
