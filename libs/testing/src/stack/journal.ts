import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskFields } from '../builders/workflow.builder.js';
import { temporaryDirectory } from '../services/temporary-directory.js';

export interface JournalEntry {
  task: string;
  fence: number;
  /** `start` and `end`, or what a script notes in between. */
  what: string;
  /** Nanoseconds of this machine's clock. */
  at: bigint;
}

/** Files in which the processes of attempts note what they did: the side effects of tasks, seen apart from what Medley says of them. */
export class Journal {
  readonly #directory = temporaryDirectory('journal');

  get path(): string {
    return this.#directory.path;
  }

  /** A shell task that notes its start and, when no command failed, its end; `note WORD` notes more. It needs a hundredth of a core. */
  task(script: string, fields: TaskFields = {}): TaskFields {
    const { env, ...rest } = fields;
    return {
      resources: { cpu: 0.01 },
      ...rest,
      env: { JOURNAL: this.path, ...(env as Record<string, string> | undefined) },
      run: `set -e\nnote() { echo "$MEDLEY_TASK $MEDLEY_FENCE $1 $(date +%s%N)" >> "$JOURNAL/$MEDLEY_RUN_ID"; }\nnote start\n${script}\nnote end\n`,
    };
  }

  /** What the tasks of a run noted, in the order of the notes. */
  read(runId: string): JournalEntry[] {
    if (!readdirSync(this.path).includes(runId)) return [];
    return readFileSync(join(this.path, runId), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [task, fence, what, at] = line.split(' ') as [string, string, string, string];
        return { task, fence: Number(fence), what, at: BigInt(at) };
      });
  }

  /** Notes of one kind by one task. */
  of(runId: string, task: string, what: string): JournalEntry[] {
    return this.read(runId).filter((entry) => entry.task === task && entry.what === what);
  }

  /** Starts that happened more than once for the same task and fence: none, if claims mean anything. */
  doubleStarts(runId: string): string[] {
    const seen = new Map<string, number>();
    for (const { task, fence, what } of this.read(runId)) {
      if (what === 'start') seen.set(`${task}#${fence}`, (seen.get(`${task}#${fence}`) ?? 0) + 1);
    }
    return [...seen].filter(([, count]) => count > 1).map(([key, count]) => `${key} ${count} times`);
  }

  /** Makes an empty file beside the notes, for scripts that wait for it. */
  openGate(name: string): void {
    writeFileSync(join(this.path, name), '');
  }

  remove(): void {
    this.#directory.remove();
  }
}
