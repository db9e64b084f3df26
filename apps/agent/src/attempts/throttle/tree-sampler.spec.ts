import { describe, expect, it } from 'vitest';
import { parentsFirst } from './held-processes.js';
import type { MemberRow } from './tree-sampler.js';
import { parseUsage } from './tree-sampler.linux.js';
import { parsePs, parsePsTime } from './tree-sampler.ps.js';

describe('used CPU time', () => {
  it('is read from a stat whose command holds spaces and parentheses, with that of waited-for children', () => {
    const stat = '7612 (a) b (c) T 7611 7601 25272 0 -1 4194304 22 0 0 0 12 3 40 5 20 0 1 0 1184670 180224';
    expect(parseUsage(stat)).toEqual({ state: 'T', parentPid: 7611, sessionId: 25272, startTicks: '1184670', cpuMs: 600 });
  });

  it.each([
    ['0:01.25', 1250],
    ['12:00.50', 720_500],
    ['01:02:03', 3_723_000],
    ['2-00:00:01', 172_801_000],
  ])('is %s in the words of ps for %d ms', (text, ms) => {
    expect(parsePsTime(text)).toBe(ms);
  });

  it('is found in the output of ps for the process groups of the trees', () => {
    const output = '  10     1    10 Ss     0:00.02\n   11    10    10 T      0:01.00\n  99     1    99 R      9:00.00\n';
    const base = { attemptId: 'a', isZombie: false };
    expect(parsePs(output, [{ attemptId: 'a', wrapperPid: 10, cgroups: [] }])).toEqual([
      { ...base, pid: 10, parentPid: 1, cpuMs: 20, isStopped: false },
      { ...base, pid: 11, parentPid: 10, cpuMs: 1000, isStopped: true },
    ]);
  });
});

describe('the order of holding', () => {
  const row = (pid: number, parentPid: number): MemberRow => ({
    attemptId: 'a',
    pid,
    parentPid,
    cpuMs: 0,
    isStopped: false,
    isZombie: false,
  });

  it('takes parents before their children, whatever their numbers', () => {
    const pids = parentsFirst([row(5, 9), row(2, 5), row(9, 1), row(7, 9)]).map(({ pid }) => pid);
    expect(pids[0]).toBe(9);
    expect(pids.indexOf(5)).toBeLessThan(pids.indexOf(2));
    expect(pids).toHaveLength(4);
  });
});
