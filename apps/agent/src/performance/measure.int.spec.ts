import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type MeasuredPerformance, measuredPerformanceSchema } from '@medley/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownCgroupDirectory } from '../attempts/cgroups.js';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('../../dist/performance/measure-cli.js', import.meta.url));
const PERIOD_MICROS = 100_000;

/** A cgroup whose processes together get a share of one core. */
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
      } else {
        writeFileSync(join(this.directory, 'cpu.max'), `${micros} ${PERIOD_MICROS}`);
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
  const load: ChildProcess[] = [];
  beforeAll(() => {
    quarter = new QuotaGroup(25);
    whole = new QuotaGroup(100);
    for (let count = 0; count < 2 * availableParallelism(); count += 1) load.push(spawn(process.execPath, ['-e', 'for (;;);']));
  });
  afterAll(() => {
    for (const each of load) each.kill('SIGKILL');
    quarter?.remove();
    whole?.remove();
  });

  it('differs by 4 ± 0.6 between a 25 % and a 100 % cpu quota, though other programs want every core twice', async () => {
    const ratios: { singleCore: number; allCores: number }[] = [];
    for (let round = 0; round < 3; round += 1) {
      const [low, high] = [await quarter.measure(), await whole.measure()];
      ratios.push({ singleCore: high.singleCore / low.singleCore, allCores: high.allCores / low.allCores });
    }
    const median = (name: 'singleCore' | 'allCores') => ratios.map((each) => each[name]).toSorted((left, right) => left - right)[1]!;
    const seen = JSON.stringify(ratios);
    expect(Math.abs(median('singleCore') - 4), `single core: ${seen}`).toBeLessThanOrEqual(0.6);
    expect(Math.abs(median('allCores') - 4), `all cores: ${seen}`).toBeLessThanOrEqual(0.6);
  });
});
