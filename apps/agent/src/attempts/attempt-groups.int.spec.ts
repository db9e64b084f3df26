import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAttemptGroups, removeEmpty, sweepAttemptGroups } from './attempt-groups.js';
import { ownCgroupDirectory } from './cgroups.js';

describe('groups of attempts', () => {
  let own: string;
  beforeEach(() => {
    const above = ownCgroupDirectory('freezer') ?? ownCgroupDirectory('');
    if (above === null) throw new Error('this machine has no control groups: the test cannot be made here');
    own = join(above, `medley-groups-test-${process.pid}`);
    mkdirSync(own);
  });
  afterEach(() => {
    rmdirSync(join(own, 'medley-attempts'));
    rmdirSync(own);
  });

  it('of an agent that is gone are removed, those of a living one and those with a process inside stay', async () => {
    const [gone, attempt] = [spawn('sleep', ['600']), spawn('sleep', ['600'])];
    const ofGone = await openAttemptGroups(own, gone.pid);
    const ofLiving = await openAttemptGroups(own);
    const [empty, busy, starting] = [join(ofGone, 'empty'), join(ofGone, 'busy'), join(ofLiving, 'starting')];
    for (const group of [empty, busy, starting]) mkdirSync(group);
    writeFileSync(join(busy, 'cgroup.procs'), String(attempt.pid));
    await sweepAttemptGroups(own);
    expect([empty, busy, starting].map((group) => existsSync(group))).toEqual([true, true, true]);

    gone.kill('SIGKILL');
    await once(gone, 'exit');
    await sweepAttemptGroups(own);
    expect([empty, busy, starting].map((group) => existsSync(group))).toEqual([false, true, true]);

    attempt.kill('SIGKILL');
    await once(attempt, 'exit');
    const isLeft = async () => {
      await sweepAttemptGroups(own);
      return existsSync(ofGone);
    };
    await expect.poll(isLeft).toBe(false);
    await removeEmpty(ofLiving);
    expect(existsSync(ofLiving)).toBe(false);
  });
});
