import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NodeListItem, Page } from '@medley/contracts';
import { Stack, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PERIOD_MICROS = 100_000;

/** A control group, of cgroup v1 or v2, whose processes together get a share of one core. */
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
    } else {
      writeFileSync(join(this.#directory, 'cpu.cfs_period_us'), String(PERIOD_MICROS));
      writeFileSync(join(this.#directory, 'cpu.cfs_quota_us'), String(micros));
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

beforeAll(async () => {
  stack = await Stack.start({ redis: false });
});

afterAll(async () => {
  await stack?.stop();
  for (const group of groups) await group.remove();
});

/** An agent that is under the quota before it has done anything: it is frozen from its first moments until it is inside. */
async function addAgentWith(percent: number, name: string): Promise<void> {
  const group = new QuotaGroup(percent, name);
  groups.push(group);
  const agent = await stack.addAgent({ name });
  agent.pause();
  group.take(agent.pid);
  agent.resume();
}

describe('two joined agents, one under a quarter of the CPU quota of the other', () => {
  it('measure performances that differ by 4 ± 0.6, though they start together', async () => {
    // Other tests on this machine take from the whole core more than from the quarter: of three pairs, what was disturbed least is compared.
    let ratio = 0;
    const best = { quarter: 0, whole: 0 };
    for (let round = 1; round <= 3 && Math.abs(ratio - 4) > 0.6; round += 1) {
      const { quarter, whole } = await measuredPair(round);
      best.quarter = Math.max(best.quarter, quarter.allCores);
      best.whole = Math.max(best.whole, whole.allCores);
      ratio = best.whole / best.quarter;
    }
    expect(Math.abs(ratio - 4), JSON.stringify(best)).toBeLessThanOrEqual(0.6);
  });

  async function measuredPair(round: number) {
    const names = [25, 100].map((percent) => `percent-${percent}-${round}`);
    await Promise.all([addAgentWith(25, names[0]!), addAgentWith(100, names[1]!)]);
    let seen: [string, number | undefined][] = [];
    return waitFor(
      async () => {
        const { items } = await stack.admin.get<Page<NodeListItem>>('/nodes');
        seen = items.map(({ name, performance }) => [name, performance.measured?.allCores]);
        const [quarter, whole] = names.map((name) => items.find((node) => node.name === name)?.performance.measured);
        return quarter && whole ? { quarter, whole } : null;
      },
      { timeoutMs: 120_000, pollMs: 250, describe: () => `both nodes to be measured; seen ${JSON.stringify(seen)}` },
    );
  }
});
