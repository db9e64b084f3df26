import { Stack, type StackLaunch } from '@medley/testing';

/** Ends the bench with a message for people, without a stack trace. */
export class BenchFailure extends Error {}

/** Runs `work` against a stack of its own with durable Postgres and stops everything afterwards, also on Ctrl-C. */
export async function withStack<T>(launch: Omit<StackLaunch, 'durable'>, work: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = await Stack.start({ ...launch, durable: true });
  let stopped: Promise<void> | null = null;
  const stopOnce = () => {
    stopped ??= stack.stop();
    return stopped;
  };
  const interrupt = () => void stopOnce().finally(() => process.exit(130));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    return await work(stack);
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
    await stopOnce();
  }
}

/** Runs the main function of a bench: its answer is the exit code; a BenchFailure is told in one line. */
export async function main(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    process.stderr.write(`${error instanceof BenchFailure ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  }
}
