import type { AttemptWork } from '@medley/contracts';

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
