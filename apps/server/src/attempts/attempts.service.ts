import type { AttemptView, LogPage, LogPart, LogQuery, PlacementReplay, PlacementView } from '@medley/contracts';
import { AppError } from '@medley/core';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PlacementEngine } from '../placement-worker/placement-engine.js';
import { attemptColumns, attemptFrom, attemptViewOf } from './attempt-columns.js';
import { readLog, readWholeLog } from './attempt-log.js';
import { getPlacement, replayPlacement } from './placement-view.js';

@Injectable()
export class AttemptsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) source: DataSource,
    @Inject(PlacementEngine) private readonly engine: PlacementEngine,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Throws not-found. */
  async get(id: string): Promise<AttemptView> {
    const [row] = await this.sql.query<object>(`select ${attemptColumns} from ${attemptFrom} where a.id = $1`, [id]);
    if (!row) throw new AppError('not-found', 'There is no such attempt.');
    return attemptViewOf(row);
  }

  log(id: string, query: LogQuery): Promise<LogPage> {
    return readLog(this.sql, id, query);
  }

  wholeLog(id: string, stream?: LogPart['stream']): AsyncGenerator<string> {
    return readWholeLog(this.sql, id, stream);
  }

  placement(id: string): Promise<PlacementView> {
    return getPlacement(this.sql, id);
  }

  replayPlacement(id: string): Promise<PlacementReplay> {
    return replayPlacement(this.sql, this.engine, id);
  }
}
