import type { NodeCapacity } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { buildDispatch } from '../testing/attempt-builders.js';
import { Backlog, type BacklogEntry } from './backlog.js';

const cores = (count: number): NodeCapacity => ({ cpuMillis: count * 1000, memoryMib: 0, diskMib: 0, gpuCount: 0 });
const entry = (count: number, sinceMs = 0): BacklogEntry => ({ dispatch: buildDispatch({ awaits: cores(count) }), sinceMs });

function backlogOf(entries: BacklogEntry[], freeCores: () => number): Backlog<BacklogEntry> {
  const backlog = new Backlog((awaited) => awaited.cpuMillis <= freeCores() * 1000);
  for (const each of entries) backlog.add(each);
  return backlog;
}

describe('the backlog of prefetched work', () => {
  it('gives out what fits together, in order, and nothing past one that does not fit', () => {
    const entries = [entry(1), entry(2), entry(1)];
    let free = 0;
    const backlog = backlogOf(entries, () => free);
    expect(backlog.claimable(0, 10)).toEqual([]);
    free = 2;
    expect(backlog.claimable(0, 10)).toEqual([entries[0]]);
    free = 3;
    expect(backlog.claimable(0, 10)).toEqual(entries.slice(0, 2));
    free = 9;
    expect(backlog.claimable(0, 2)).toEqual(entries.slice(0, 2));
    expect(backlog.claimable(0, 0)).toEqual([]);
  });

  it('keeps what found no room at the head, and asks again when something has ended or after half a second', () => {
    const [first, second, third] = [entry(1), entry(1), entry(1)];
    const backlog = backlogOf([first, second, third], () => 3);
    backlog.remove(first);
    backlog.remove(second);
    backlog.putBack([first, second], 1000);
    expect(backlog.claimable(1499, 10)).toEqual([]);
    expect(backlog.claimable(1500, 10)).toEqual([first, second, third]);
    backlog.putBack([], 2000);
    expect(backlog.claimable(2001, 10)).toEqual([]);
    backlog.roomFreed();
    expect(backlog.claimable(2001, 10)).toHaveLength(3);
  });

  it('forgets what it has kept for so long that the server has taken it back', () => {
    const [old, fresh] = [entry(1, 0), entry(1, 5000)];
    const backlog = backlogOf([old, fresh], () => 9);
    expect(backlog.expire(9999)).toEqual([]);
    expect(backlog.expire(10_000)).toEqual([old]);
    expect(backlog.size).toBe(1);
    expect(backlog.claimable(10_000, 9)).toEqual([fresh]);
  });
});
