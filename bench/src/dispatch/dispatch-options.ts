import { resolve } from 'node:path';
import { wholeOptions } from '../options/number-option.js';
import { BenchFailure } from '../stack/with-stack.js';

export interface DispatchOptions {
  /** Task runs per round, and jobs of the peers. */
  tasks: number;
  rounds: number;
  /** Steps of the chain that runs by itself once a round. */
  steps: number;
  /** Where server and agent leave their CPU profiles; null for none. */
  profileDirectory: string | null;
}

/** Reads the command line; throws a BenchFailure that says what is wrong. */
export function parseDispatchOptions(args: readonly string[]): DispatchOptions {
  const at = args.indexOf('--profile');
  const directory = at < 0 ? null : args[at + 1];
  if (directory === undefined) throw new BenchFailure('--profile: name the directory for the CPU profiles');
  const numbers = at < 0 ? args : args.filter((_, index) => index !== at && index !== at + 1);
  const known = {
    tasks: { default: 5000, least: 1, most: 10_000 },
    rounds: { default: 5, least: 1, most: 1000 },
    steps: { default: 100, least: 1, most: 5000 },
  };
  return { ...wholeOptions(numbers, known), profileDirectory: directory === null ? null : resolve(directory) };
}

/** The environment that makes a Node process write its CPU profile when it ends; Node takes no such option from its environment, hence the module. */
export function profileEnvironment(directory: string | null): NodeJS.ProcessEnv {
  if (directory === null) return {};
  const module = new URL('profile-preload.js', import.meta.url);
  module.searchParams.set('directory', directory);
  return { NODE_OPTIONS: `--import=${module.href}` };
}
