import type { Readable } from 'node:stream';
import { AppError, phrase } from '@medley/core';

/** Injection token of the process's blob store. */
export const BLOB_STORE = Symbol('blob store');

export interface BlobEntry {
  key: string;
  bytes: number;
}

/** Bytes `start` to `end`, both included, counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Keeps whole files outside of Postgres: archived logs, later artifacts. A key is a path of letters, digits, `-`, `_`, `.` and `/`. Every call throws the
 * AppError blob-store-unavailable when the store cannot do its work.
 */
export interface BlobStore {
  /** What this store is for people: the directory or the bucket. */
  readonly name: string;
  /** Equal for two servers exactly when they see the same blobs. */
  identity(): Promise<string>;
  /** Stores a blob whole or not at all, in place of an earlier one of this key. Resolves when it is durable. Faults of `body` are thrown as they are. */
  put(key: string, body: AsyncIterable<Uint8Array>): Promise<void>;
  /** The bytes of a blob, fewer than asked for when it is shorter; null when there is none. */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Removing what is not there is no error. */
  delete(key: string): Promise<void>;
  /** Every blob whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<BlobEntry>;
  /** Resolves when the store can be read and written. */
  check(): Promise<void>;
}

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Keys are made by the server alone; one that could leave the store's directory is a fault of the program. */
export function assertBlobKey(key: string): void {
  if (!KEY.test(key) || key.length > 900) throw new Error(`"${key}" is no key of a blob`);
}

/** The refusal that tells which store failed and why. */
export function storeUnavailable(name: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new AppError('blob-store-unavailable', phrase('blob-store-unusable', { store: name, reason }), undefined, { cause });
}

/** True for a refusal that may be gone when the store is back. */
export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'blob-store-unavailable';
}
