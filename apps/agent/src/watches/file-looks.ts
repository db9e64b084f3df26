import { type FileLook, type FileLookAnswer, type FileLookResult, fileLooksAnswerSchema } from '@medley/contracts';
import type { Logger } from '../log.js';
import type { ServerClient } from '../transport/server-client.js';

const LOOK_SECONDS = 5;
const SEND_MS = 5000;
/** Each look holds a thread of the pool that all file access shares: a file system that hangs may hold two of its four. */
const MOST_AT_ONCE = 2;

export interface FileLooksOptions {
  client: Pick<ServerClient, 'request'>;
  look: (path: string) => Promise<FileLookResult>;
  log: Logger;
  signal: AbortSignal;
  seconds?: number;
}

/**
 * Looks for the files that the server asks for, and tells it what was found. Nothing is kept: what could not be told is asked again. A look that takes too long is
 * answered so, and holds its place until the file system lets go of it.
 */
export class FileLooks {
  private readonly underWay = new Set<string>();
  private waiting: (() => void)[] = [];
  private busy = 0;

  constructor(private readonly options: FileLooksOptions) {}

  /** Returns at once. Those that are under way already are not begun again. */
  begin(looks: readonly FileLook[]): void {
    const fresh = looks.filter((each) => !this.underWay.has(keyOf(each)));
    for (const each of fresh) {
      this.underWay.add(keyOf(each));
      void this.answer(each).finally(() => this.underWay.delete(keyOf(each)));
    }
  }

  private async answer({ watchId, look, path }: FileLook): Promise<void> {
    await this.tell({ watchId, look, result: await this.inTime(path) });
  }

  private inTime(path: string): Promise<FileLookResult> {
    const seconds = this.options.seconds ?? LOOK_SECONDS;
    return new Promise((resolve) => {
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        this.waiting = this.waiting.filter((each) => each !== begin);
        resolve({ outcome: 'timeout', seconds });
      }, seconds * 1000);
      const look = async () => {
        if (!isOver) resolve(await this.options.look(path));
        clearTimeout(timer);
        this.free();
      };
      const begin = () => void look();
      if (this.busy >= MOST_AT_ONCE) this.waiting.push(begin);
      else {
        this.busy += 1;
        begin();
      }
    });
  }

  private free(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.busy -= 1;
  }

  private async tell(answer: FileLookAnswer): Promise<void> {
    const { client, log, signal } = this.options;
    try {
      await client.request({
        method: 'POST',
        path: 'looks',
        body: { answers: [answer] },
        answer: fileLooksAnswerSchema,
        timeoutMs: SEND_MS,
        signal,
      });
    } catch (error) {
      if (!signal.aborted) log.warn({ error: String(error) }, 'what was found of a file could not be told; the server asks again');
    }
  }
}

function keyOf({ watchId, look }: FileLook): string {
  return `${watchId} ${look}`;
}
