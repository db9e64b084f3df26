import { type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { LOGGER } from '../logging/logger.js';
import { BLOB_STORE, type BlobStore } from './blob-store.js';

const EVERY_MS = 15_000;

/** Four missed announcements: a server that was killed is not counted for longer. */
const ALIVE_SECONDS = 60;

export type BlobStoreState = 'ok' | 'unavailable' | 'not-shared';

/**
 * Knows whether blobs can be moved: the store answers, and every server that runs sees the same store. Each server announces which one it sees; several with a
 * directory each would take logs away from one another, so then all of them leave the logs in Postgres and say so.
 */
@Injectable()
export class BlobStoreWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly serverId = uuidv7();
  private readonly sql: Sql;
  private timer: NodeJS.Timeout | null = null;
  private looking: Promise<BlobStoreState> | null = null;
  private current: BlobStoreState = 'ok';

  constructor(
    @Inject(DataSource) source: DataSource,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** As of the last look. `detail` tells people what to do; it names no path. */
  get state(): { blobStore: BlobStoreState; detail?: string } {
    if (this.current === 'ok') return { blobStore: 'ok' };
    const detail =
      this.current === 'not-shared'
        ? 'Servers that run at the same time use different blob stores; give all of them the same S3 bucket (MEDLEY_S3_BUCKET). Until then logs stay in Postgres.'
        : 'The blob store cannot be used; the log of the server tells why. Until it is back logs stay in Postgres and archived ones cannot be read.';
    return { blobStore: this.current, detail };
  }

  onApplicationBootstrap(): void {
    const look = () => {
      this.look().catch((error: unknown) => this.logger.debug({ err: error }, 'the blob store could not be announced'));
    };
    look();
    this.timer = setInterval(look, EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.looking?.catch(() => {});
    await this.sql.query('delete from servers where id = $1', [this.serverId]).catch(() => {}); // otherwise it is forgotten after a minute
  }

  /** Looks at the store and at the other servers now. Throws only when Postgres cannot be asked. */
  look(): Promise<BlobStoreState> {
    this.looking ??= this.lookOnce().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async lookOnce(): Promise<BlobStoreState> {
    const fault = await this.store.check().then(
      () => null,
      (error: Error) => error.message,
    );
    const identity = fault === null ? await this.store.identity() : null;
    const stores = await this.announce(identity);
    this.become(stores > 1 ? 'not-shared' : fault === null ? 'ok' : 'unavailable', fault);
    return this.current;
  }

  /** How many different stores the servers that run see. */
  private async announce(identity: string | null): Promise<number> {
    await this.sql.query(
      `insert into servers (id, blob_store) values ($1, $2)
       on conflict (id) do update set blob_store = excluded.blob_store, seen_at = clock_timestamp()`,
      [this.serverId, identity],
    );
    await this.sql.query(`delete from servers where seen_at < clock_timestamp() - interval '1 day'`);
    const [row] = await this.sql.query<{ stores: number }>(
      'select count(distinct blob_store)::int as stores from servers where seen_at > clock_timestamp() - make_interval(secs => $1)',
      [ALIVE_SECONDS],
    );
    return row!.stores;
  }

  /** Says each change once. */
  private become(state: BlobStoreState, reason: string | null): void {
    if (state === this.current) return;
    this.current = state;
    const fields = { blobStore: this.store.name, ...(reason === null ? {} : { reason }) };
    if (state === 'ok') this.logger.info(fields, 'the blob store is in order again');
    else this.logger.warn(fields, this.state.detail);
  }
}
