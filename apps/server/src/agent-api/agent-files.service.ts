import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type FetchFileQuery, type KeepFileAnswer, type KeepFileQuery, keepLimits } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BLOB_STORE, type BlobStore } from '../blobs/blob-store.js';
import { BlobStoreWatch } from '../blobs/blob-store-watch.js';
import { fileBlobKey } from '../working-files/file-blob-key.js';
import { countingFiles } from '../working-files/kept-files.js';

type AttemptOfFile = Pick<KeepFileQuery, 'attemptId' | 'fence'>;

/** Takes working files from the agents that hold an attempt, and gives them those that it fetches. */
@Injectable()
export class AgentFilesService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    @Inject(BlobStoreWatch) private readonly watch: BlobStoreWatch,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  /**
   * Stores a file whole or not at all, in place of an earlier one of this path. Throws task-run-ended when the attempt is over or another node's, validation-failed when
   * the limits are exceeded or the body is not what the query says, and blob-store-unavailable.
   */
  async keep(nodeId: string, query: KeepFileQuery, body: Readable): Promise<KeepFileAnswer> {
    try {
      return await this.keepBody(nodeId, query, body);
    } catch (error) {
      body.resume(); // a sender that is still busy reads no answer before its end
      throw error;
    }
  }

  private async keepBody(nodeId: string, query: KeepFileQuery, body: Readable): Promise<KeepFileAnswer> {
    this.assertShared();
    if (query.bytes > keepLimits.fileBytes) {
      const { path, bytes } = query;
      throw new AppError('validation-failed', phrase('kept-file-too-large', { path, bytes, limit: keepLimits.fileBytes }));
    }
    const id = uuidv7();
    const begun = await this.sql.query(
      `insert into working_files (id, attempt_id, task_run_id, fence, path, bytes, sha256)
       select $1, a.id, a.task_run_id, a.fence, $5, $6, $7 from attempts a where ${isHeld('$2', '$3', '$4')} returning 1`,
      [id, query.attemptId, nodeId, query.fence, query.path, query.bytes, query.sha256],
    );
    if (begun.length === 0) throw attemptOver();
    try {
      await this.store.put(fileBlobKey(query.attemptId, id), verified(body, query));
      await inTransaction(this.source, (sql) => finish(sql, id, nodeId, query));
    } catch (error) {
      await this.sql
        .query('update working_files set stale_at = clock_timestamp() where id = $1 and stored_at is null', [id])
        .catch(() => {}); // else after a day
      throw error;
    }
    return { id };
  }

  /** A file of the attempt's run, or of what that has kept from an earlier one. Throws task-run-ended, not-found and blob-store-unavailable. */
  async fetch(nodeId: string, id: string, { attemptId, fence }: FetchFileQuery): Promise<{ body: Readable; bytes: number }> {
    this.assertShared();
    const [held] = await this.sql.query(`select 1 from attempts a where ${isHeld('$1', '$2', '$3')}`, [attemptId, nodeId, fence]);
    if (!held) throw attemptOver();
    const [file] = await this.sql.query<{ attempt_id: string; bytes: number }>(
      `select w.attempt_id, w.bytes::float8 as bytes from attempts own join task_runs t on t.run_id = own.run_id and t.item = -1 ${countingFiles}
       where own.id = $1 and w.id = $2 and w.stale_at is null`,
      [attemptId, id],
    );
    const body = file && (await this.store.get(fileBlobKey(file.attempt_id, id)));
    if (!body) throw new AppError('not-found', phrase('no-such-file'));
    return { body, bytes: file!.bytes };
  }

  /** Servers with a directory each would not find the files of one another. */
  private assertShared(): void {
    const { blobStore, detail } = this.watch.state;
    if (blobStore === 'not-shared') throw new AppError('blob-store-unavailable', detail ?? '');
  }
}

const isHeld = (attemptId: string, nodeId: string, fence: string) =>
  `a.id = ${attemptId} and a.node_id = ${nodeId} and a.fence = ${fence} and a.state in ('running', 'stopping')`;

const attemptOver = () => new AppError('task-run-ended', phrase('files-attempt-over'));

/** With its attempt locked: no other file of it is finished meanwhile, and it does not end. */
async function finish(sql: Sql, id: string, nodeId: string, { attemptId, fence, path }: AttemptOfFile & { path: string }): Promise<void> {
  const [held] = await sql.query(`select 1 from attempts a where ${isHeld('$1', '$2', '$3')} for update`, [attemptId, nodeId, fence]);
  if (!held) throw attemptOver();
  await sql.query(
    `update working_files set stale_at = clock_timestamp(), stored_at = null where attempt_id = $1 and path = $2 and stored_at is not null and stale_at is null`,
    [attemptId, path],
  );
  const stored = await sql.query('update working_files set stored_at = clock_timestamp() where id = $1 and stale_at is null returning 1', [
    id,
  ]);
  if (stored.length === 0) throw attemptOver();
  const [sum] = await sql.query<{ files: number; bytes: number }>(
    `select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from working_files where attempt_id = $1 and stored_at is not null and stale_at is null`,
    [attemptId],
  );
  const { files, taskBytes } = keepLimits;
  if (sum!.files > files) throw new AppError('validation-failed', phrase('files-too-many', { count: sum!.files, limit: files }));
  if (sum!.bytes > taskBytes) throw new AppError('validation-failed', phrase('files-too-large', { bytes: sum!.bytes, limit: taskBytes }));
}

/** Passes the body on and ends in a fault where it is not what was announced. What is left of it is not destroyed: its connection has the answer to bring. */
async function* verified(body: Readable, { bytes, sha256 }: KeepFileQuery): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let seen = 0;
  for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    seen += piece.length;
    if (seen > bytes) break;
    hash.update(piece);
    yield piece;
  }
  if (seen !== bytes || hash.digest('hex') !== sha256) throw new AppError('validation-failed', phrase('file-body-differs'));
}
