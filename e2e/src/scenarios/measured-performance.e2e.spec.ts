import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeListItem, Page } from '@medley/contracts';
import { Stack, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PERIOD_MICROS = 100_000;
/** Some are disturbed while others still start: the median of a few is not. */
const PAIRS = 3;
/** The most there is: other tests on this machine would take from the whole core more than from the quarter, and only the quota is to count. */
const FIRST_OF_ALL = { v1: 262_144, v2: 10_000 };

/** A control group, of cgroup v1 or v2, whose processes together get a share of one core, and get it before what runs outside. */
class QuotaGroup {
  readonly #directory: string;

  constructor(percent: number, name: string) {
    const v1 = /^\S+ (\S+) cgroup \S*\bcpu\b(?!\w)/m.exec(readFileSync('/proc/mounts', 'utf8'))?.[1];
    const v2 = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8'))?.[1];
    const mount = v1 ?? v2;
    if (mount === undefined)
      throw new Error('this machine has no control groups: a real quota cannot be set, so this test cannot be made here');
    this.#directory = join(mount, `medley-e2e-${name}-${process.pid}`);
    const micros = percent * 1_000;
    mkdirSync(this.#directory);
    if (v1 === undefined) {
      writeFileSync(join(this.#directory, 'cpu.max'), `${micros} ${PERIOD_MICROS}`);
      writeFileSync(join(this.#directory, 'cpu.weight'), String(FIRST_OF_ALL.v2));
    } else {
      writeFileSync(join(this.#directory, 'cpu.cfs_period_us'), String(PERIOD_MICROS));
      writeFileSync(join(this.#directory, 'cpu.cfs_quota_us'), String(micros));
      writeFileSync(join(this.#directory, 'cpu.shares'), String(FIRST_OF_ALL.v1));
    }
  }

  /** What a process starts from now on is inside. */
  take(pid: number): void {
    writeFileSync(join(this.#directory, 'cgroup.procs'), String(pid));
  }

  async remove(): Promise<void> {
    if (!existsSync(this.#directory)) return;
    await waitFor(() => readFileSync(join(this.#directory, 'cgroup.procs'), 'utf8') === '', { describe: 'the group to be empty' });
    rmdirSync(this.#directory);
  }
}

let stack: Stack;
const groups: QuotaGroup[] = [];
let seen: [string, number][] = [];

beforeAll(async () => {
  stack = await Stack.start({ redis: false });
});

afterAll(async () => {
  await stack?.stop();
  for (const group of groups) await group.remove();
});

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}

/** An agent that is under the quota before it has done anything: it is frozen from its first moments until it is inside. */
async function addAgentWith(percent: number, name: string): Promise<void> {
  const group = new QuotaGroup(percent, name);
  groups.push(group);
  const agent = await stack.addAgent({ name });
  agent.pause();
  group.take(agent.pid);
  agent.resume();
}

describe('joined agents, half of them under a quarter of the CPU quota of the others', () => {
  it('measure performances that differ by 4 ± 0.6 in the median, though they start together', async () => {
    const percents = Array.from({ length: PAIRS }, () => [25, 100]).flat();
    await Promise.all(percents.map((percent, index) => addAgentWith(percent, `percent-${percent}-${index}`)));
    const measured = await waitFor(
      async () => {
        const { items } = await stack.admin.get<Page<NodeListItem>>('/nodes');
        const done = items.filter(({ performance }) => performance.measured !== null);
        seen = done.map(({ name, performance }) => [name, performance.measured!.allCores]);
        return done.length === percents.length && seen;
      },
      { timeoutMs: 120_000, pollMs: 250, describe: () => `all nodes to be measured; seen ${JSON.stringify(seen)}` },
    );
    const [quarter, whole] = [25, 100].map((percent) =>
      median(measured.filter(([name]) => name.startsWith(`percent-${percent}-`)).map(([, cores]) => cores)),
    );
    const ratio = whole! / quarter!;
    expect(Math.abs(ratio - 4), `${ratio} of ${JSON.stringify(measured)}`).toBeLessThanOrEqual(0.6);
  });
});
