import { describe, expect, it } from 'vitest';
import { Lease } from './lease.js';

const NOWHERE = '/nonexistent/lease.json';

describe('the lease of a node', () => {
  it('runs out a margin before its end, counted from the sending', async () => {
    const lease = new Lease(NOWHERE, 'boot');
    expect(lease.isRunningOut(1e12)).toBe(false);
    await lease.renew(1000, 60);
    expect(lease.marginMs).toBe(5000);
    expect([55_999, 56_000].map((now) => lease.isRunningOut(now))).toEqual([false, true]);
    expect(lease.graceLeftMs(56_000)).toBe(4000);
    expect(lease.graceLeftMs(70_000)).toBe(0);
  });

  it('keeps a quarter of a short lease as margin, and is not shortened by an answer that came late', async () => {
    const lease = new Lease(NOWHERE, 'boot');
    await lease.renew(5000, 4);
    await lease.renew(1000, 4);
    expect([7999, 8000].map((now) => lease.isRunningOut(now))).toEqual([false, true]);
  });
});
