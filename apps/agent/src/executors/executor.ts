import type { AttemptWork } from '@medley/contracts';

/** A command may leave here, in its attempt directory, why it failed, as the JSON of a phrase; it becomes the explanation of the attempt's end. */
export const DETAIL_FILE = 'detail';
/** A command leaves this file when it ended without having begun: the attempt is then lost, not failed. */
export const UNBEGUN_FILE = 'unbegun';

/** In the attempt directory, named to the task by `MEDLEY_OUTPUT`: what it gives to the tasks behind it. */
export const OUTPUT_VALUES_FILE = 'outputs';

/** What the wrapper runs: a command, the files it needs in the attempt directory, and what it reads from its standard input. */
export interface Command {
  argv: string[];
  files: { name: string; content: string }[];
  stdin: string | null;
  /** Defaults that the task's own `env` may override. */
  environment: Record<string, string>;
}

export interface ExecutorContext {
  directory: string;
  /** Interpreter found at start; null when this machine has none. */
  python: string | null;
  platform: NodeJS.Platform;
}

/** One per task kind; pure: says what to run, runs nothing. */
export type Executor = (work: AttemptWork, context: ExecutorContext) => Command;
