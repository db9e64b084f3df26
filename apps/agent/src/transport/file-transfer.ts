import { createReadStream, createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AttemptRef, type KeepFileQuery, keepFileAnswerSchema } from '@medley/contracts';
import type { ServerClient } from './server-client.js';

const AT_ONCE = 4;
/** Of no byte at all, or none of an answer. */
const IDLE_MS = 60_000;

/** Moves files between this machine and the servers, a few at a time. */
export class FileTransfer {
  private active = 0;
  private waiting: (() => void)[] = [];

  constructor(private readonly client: ServerClient) {}

  /** Sends one file as it is on disk. Throws what `ServerClient.transfer` throws, and what the disk says where the file cannot be read. */
  send(path: string, query: KeepFileQuery, signal: AbortSignal): Promise<void> {
    return this.inTurn(signal, async (watch) => {
      const address = `files?${new URLSearchParams({ ...query, fence: String(query.fence), bytes: String(query.bytes) })}`;
      const source = createReadStream(path);
      try {
        const answer = await this.client.transfer('POST', address, watch.passing(source), watch.signal);
        keepFileAnswerSchema.parse(await answer.body.json());
      } catch (error) {
        throw source.errored ?? error;
      } finally {
        source.destroy();
      }
    });
  }

  /** Writes what the server has under `id` to `path`. Throws what `ServerClient.transfer` throws, and what the disk says. */
  fetch(id: string, { attemptId, fence }: AttemptRef, path: string, signal: AbortSignal): Promise<void> {
    return this.inTurn(signal, async (watch) => {
      const address = `files/${id}?${new URLSearchParams({ attemptId, fence: String(fence) })}`;
      const answer = await this.client.transfer('GET', address, null, watch.signal);
      await pipeline(watch.passing(answer.body), createWriteStream(path, { mode: 0o600 }), { signal: watch.signal });
    });
  }

  private async inTurn(signal: AbortSignal, move: (watch: IdleWatch) => Promise<void>): Promise<void> {
    await this.turn(signal);
    const watch = new IdleWatch(signal);
    try {
      signal.throwIfAborted();
      await move(watch);
    } finally {
      watch.end();
      const next = this.waiting.shift();
      if (next) next();
      else this.active -= 1;
    }
  }

  private async turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.active < AT_ONCE) {
      this.active += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.waiting = this.waiting.filter((each) => each !== begin);
        reject(signal.reason);
      };
      this.waiting.push(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}

/** Gives up what stands still, and what its owner gives up. */
class IdleWatch {
  readonly signal: AbortSignal;
  private readonly idle = new AbortController();
  private timer: NodeJS.Timeout;

  constructor(outer: AbortSignal) {
    this.signal = AbortSignal.any([outer, this.idle.signal]);
    this.timer = setTimeout(() => this.idle.abort(new Error(`nothing moved for ${IDLE_MS / 1000} s`)), IDLE_MS);
  }

  passing(source: NodeJS.ReadableStream): Transform {
    const pass = new Transform({
      transform: (bytes, _encoding, done) => {
        this.timer.refresh();
        done(null, bytes);
      },
    });
    source.on('error', (error) => pass.destroy(error));
    pass.on('error', () => undefined); // whoever reads it tells; nobody may be reading any more
    return source.pipe(pass);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
