import { parseArgs } from 'node:util';
import type { PoolPolicy } from '@medley/contracts';
import { poolPolicySchema } from '@medley/contracts';
import { numberOption, wholeOption } from '../options/number-option.js';
import { BenchFailure } from '../stack/with-stack.js';

export interface ReplayOptions {
  file: string;
  targetSeconds: number;
  speeds: number[];
  slotsPerNode: number;
  policy: PoolPolicy;
  /** Runs before the measured one, from which the server learns runtimes. */
  rehearsals: number;
  /** Only the JSON line. */
  json: boolean;
}

export const usage = `npm run replay -- FILE [options]

Replays a recorded workflow execution (WfCommons WfFormat 1.5) through server, queue and agents; every task sleeps its recorded runtime,
scaled so that the lower bound of the makespan is --target-seconds.

  --target-seconds N   lower bound of the replay in seconds (default 60)
  --nodes LIST         declared speed per node (default 1,1,2,4)
  --slots N            cores per node (default 4)
  --policy NAME        earliest-finish (default), resource-pick-kK such as resource-pick-k1, smooth-weighted-round-robin, random
  --rehearsals N       runs before the measured one, from which runtimes are learned (default 0)
  --json               print the JSON line only`;

/** Reads the command line; throws a BenchFailure that says what is wrong. */
export function parseReplayOptions(args: readonly string[]): ReplayOptions {
  const { values, positionals } = readArguments(args);
  if (positionals.length !== 1) throw new BenchFailure(`Name one file.\n\n${usage}`);
  const speeds = values.nodes.split(',').map((text) => numberOption('--nodes', text, 0.001, 1000));
  if (speeds.length > 64) throw new BenchFailure('--nodes: at most 64 nodes');
  return {
    file: positionals[0] as string,
    targetSeconds: numberOption('--target-seconds', values['target-seconds'], 0.1, 86_400),
    speeds,
    slotsPerNode: wholeOption('--slots', values.slots, 1, 256),
    policy: parsePolicy(values.policy),
    rehearsals: wholeOption('--rehearsals', values.rehearsals, 0, 100),
    json: values.json,
  };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'target-seconds': { type: 'string', default: '60' },
        nodes: { type: 'string', default: '1,1,2,4' },
        slots: { type: 'string', default: '4' },
        policy: { type: 'string', default: 'earliest-finish' },
        rehearsals: { type: 'string', default: '0' },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new BenchFailure(`${(error as Error).message}\n\n${usage}`);
  }
}

function parsePolicy(text: string): PoolPolicy {
  const kx = /^resource-pick-k(\d+(?:\.\d+)?|infinity)$/.exec(text)?.[1];
  const policy = kx === undefined ? { selector: text } : { selector: 'resource-pick-kx', k: kx === 'infinity' ? kx : Number(kx) };
  const parsed = poolPolicySchema.safeParse(policy);
  if (!parsed.success) throw new BenchFailure(`--policy: "${text}" is not known\n\n${usage}`);
  return parsed.data;
}
