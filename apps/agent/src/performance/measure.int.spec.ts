import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type MeasuredPerformance, measuredPerformanceSchema } from '@medley/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownCgroupDirectory } from '../attempts/cgroups.js';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('../../dist/performance/measure-cli.js', import.meta.url));
const PERIOD_MICROS = 100_000;
const ROUNDS = 3;

/** A cgroup whose processes together get a share of one core, and get it before anything else on the machine: only the quota holds them back. */
class QuotaGroup {
  private readonly directory: string;

  constructor(percent: number) {
    const v1 = ownCgroupDirectory('cpu');
    const parent = v1 ?? ownCgroupDirectory('');
    if (parent === null) {
      throw new Error('this machine has no cpu cgroup controller: a real quota cannot be set, so this test cannot be made here');
    }
    this.directory = join(parent, `medley-quota-${percent}-${process.pid}`);
    try {
      mkdirSync(this.directory);
      const micros = percent * 1000;
      if (v1 !== null) {
        writeFileSync(join(this.directory, 'cpu.cfs_period_us'), String(PERIOD_MICROS));
        writeFileSync(join(this.directory, 'cpu.cfs_quota_us'), String(micros));
        writeFileSync(join(this.directory, 'cpu.shares'), '262144');
      } else {
        writeFileSync(join(this.directory, 'cpu.max'), `${micros} ${PERIOD_MICROS}`);
        writeFileSync(join(this.directory, 'cpu.weight'), '10000');
      }
    } catch (error) {
      throw new Error(`the cpu cgroup below ${parent} is not writable: run this test as root`, { cause: error });
    }
  }

  async measure(): Promise<MeasuredPerformance> {
    const script = 'echo $$ >"$1" && exec "$2" "$3"';
    const { stdout } = await run('/bin/sh', ['-c', script, 'sh', join(this.directory, 'cgroup.procs'), process.execPath, CLI]);
    return measuredPerformanceSchema.parse(JSON.parse(stdout));
  }

  remove(): void {
    if (existsSync(this.directory)) {
      rmdirSync(this.directory);
    }
  }
}

describe('measured performance', () => {
  let quarter: QuotaGroup;
  let whole: QuotaGroup;
  beforeAll(() => {
    quarter = new QuotaGroup(25);
    whole = new QuotaGroup(100);
  });
  afterAll(() => {
    quarter?.remove();
    whole?.remove();
  });

  it('differs by 4 ± 0.6 between a 25 % and a 100 % cpu quota', async () => {
    // Other work on the machine only ever lowers a measurement, so the best of interleaved rounds is what the quota allows.
    const best = { quarter: 0, whole: 0, quarterAll: 0, wholeAll: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const [low, high] = [await quarter.measure(), await whole.measure()];
      best.quarter = Math.max(best.quarter, low.singleCore);
      best.whole = Math.max(best.whole, high.singleCore);
      best.quarterAll = Math.max(best.quarterAll, low.allCores);
      best.wholeAll = Math.max(best.wholeAll, high.allCores);
    }
    expect(Math.abs(best.whole / best.quarter - 4), `single core: ${JSON.stringify(best)}`).toBeLessThanOrEqual(0.6);
    expect(Math.abs(best.wholeAll / best.quarterAll - 4), `all cores: ${JSON.stringify(best)}`).toBeLessThanOrEqual(0.6);
  });
});
