import type { Readable } from 'node:stream';
import { maxListedFiles, type TaskFiles } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BLOB_STORE, type BlobStore } from '../blobs/blob-store.js';
import { fileBlobKey } from '../working-files/file-blob-key.js';
import { countingFiles, type KeptFile, keptFileColumns } from '../working-files/kept-files.js';

/** The working files of a task for people. */
@Injectable()
export class TaskFilesService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) source: DataSource,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  /** Of a mapped or repeated task those of all its instances. */
  async list(taskRunId: string): Promise<TaskFiles> {
    const rows = await this.sql.query<KeptFile & { total: number }>(
      `select ${keptFileColumns}, count(*) over ()::int as total from task_runs t ${countingFiles} where t.id = $1
       order by i.item, w.path limit ${maxListedFiles}`,
      [taskRunId],
    );
    return { items: rows.map(({ total: _total, ...file }) => file), total: rows[0]?.total ?? 0 };
  }

  /** Throws not-found, blob-missing and blob-store-unavailable. */
  async open(taskRunId: string, fileId: string): Promise<{ name: string; bytes: number; body: Readable }> {
    const [file] = await this.sql.query<KeptFile>(
      `select ${keptFileColumns} from task_runs t ${countingFiles} where t.id = $1 and w.id = $2 and w.stale_at is null`,
      [taskRunId, fileId],
    );
    if (!file) throw new AppError('not-found', phrase('no-such-file'));
    const key = fileBlobKey(file.attemptId, file.id);
    const body = await this.store.get(key);
    if (!body) throw new AppError('blob-missing', phrase('log-blob-missing', { key, store: this.store.name }));
    return { name: file.path.split('/').at(-1)!, bytes: file.bytes, body };
  }
}
