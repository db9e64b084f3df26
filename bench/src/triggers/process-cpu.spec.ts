import { describe, expect, it } from 'vitest';
import { cpuSecondsOfTree, parseStat } from './process-cpu.js';

describe('CPU time of processes', () => {
  it('is read past a name with spaces and parentheses', () => {
    const line = '42 (a (b) c) S 7 42 42 0 -1 4194304 100 0 0 0 11 12 13 14 20 0 1 0 99 1 1';
    expect(parseStat(line)).toEqual({ parentPid: 7, ownTicks: 23, buriedTicks: 27 });
  });

  it.runIf(process.platform === 'linux')('of this process grows with what it computes', () => {
    const before = cpuSecondsOfTree(process.pid);
    const until = process.cpuUsage().user + 60_000;
    while (process.cpuUsage().user < until) Math.sqrt(2);
    expect(cpuSecondsOfTree(process.pid)).toBeGreaterThan(before);
  });
});
