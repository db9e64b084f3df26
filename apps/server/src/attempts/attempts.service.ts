import type { AttemptView, LogPage, LogPart, LogQuery, PlacementReplay, PlacementView } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BLOB_STORE, type BlobStore } from '../blobs/blob-store.js';
import { PlacementEngine } from '../placement-worker/placement-engine.js';
import { attemptColumns, attemptFrom, attemptViewOf } from './attempt-columns.js';
import { openWholeLog, readLog } from './attempt-log.js';
import { getPlacement, replayPlacement } from './placement-view.js';

@Injectable()
export class AttemptsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) source: DataSource,
    @Inject(PlacementEngine) private readonly engine: PlacementEngine,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Throws not-found. */
  async get(id: string): Promise<AttemptView> {
    const [row] = await this.sql.query<object>(`select ${attemptColumns} from ${attemptFrom} where a.id = $1`, [id]);
    if (!row) throw new AppError('not-found', phrase('no-such-attempt'));
    return attemptViewOf(row);
  }

  log(id: string, query: LogQuery): Promise<LogPage> {
    return readLog(this.sql, this.blobs, id, query);
  }

  wholeLog(id: string, stream?: LogPart['stream']): Promise<AsyncGenerator<string>> {
    return openWholeLog(this.sql, this.blobs, id, stream);
  }

  placement(id: string): Promise<PlacementView> {
    return getPlacement(this.sql, id);
  }

  replayPlacement(id: string): Promise<PlacementReplay> {
    return replayPlacement(this.sql, this.engine, id);
  }
}
