import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PassResult, PassRunner } from './pass-runner.js';

const quiet = pino({ level: 'silent' });

/** A pass whose executions end when the test says so. */
function gatedPass() {
  const ends: { resolve: (result: PassResult) => void; reject: (error: Error) => void }[] = [];
  const pass = { executions: 0, atOnce: 0, most: 0 };
  const run = async () => {
    pass.executions++;
    pass.most = Math.max(pass.most, ++pass.atOnce);
    try {
      return await new Promise<PassResult>((resolve, reject) => ends.push({ resolve, reject }));
    } finally {
      pass.atOnce--;
    }
  };
  const end = async (result: PassResult | Error = {}) => {
    const { resolve, reject } = ends.shift()!;
    if (result instanceof Error) reject(result);
    else resolve(result);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { pass, run, end };
}

describe('PassRunner', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs once more after any number of wake-ups that came while it ran, and never beside itself', async () => {
    const { pass, run, end } = gatedPass();
    const runner = new PassRunner('test', run, quiet);
    runner.wake();
    for (let wake = 0; wake < 5; wake++) runner.wake();
    expect(pass.executions).toBe(1);
    await end();
    expect(pass.executions).toBe(2);
    await end();
    expect(pass).toMatchObject({ executions: 2, most: 1 });
  });

  it('hears a wake-up that comes in the very moment it ends', async () => {
    let executions = 0;
    let runner: PassRunner;
    const run = async (): Promise<PassResult> => {
      executions++;
      if (executions === 1) void Promise.resolve().then(() => Promise.resolve().then(() => runner.wake()));
      return {};
    };
    runner = new PassRunner('test', run, quiet);
    runner.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(executions).toBe(2);
  });

  it('goes on at once while there is more', async () => {
    const { pass, run, end } = gatedPass();
    new PassRunner('test', run, quiet).wake();
    await end({ again: true });
    await end({ again: true });
    await end({ again: false });
    expect(pass.executions).toBe(3);
  });

  it('runs at the instant it asked for, the latest request counting', async () => {
    const { pass, run, end } = gatedPass();
    const runner = new PassRunner('test', run, quiet);
    runner.wake();
    await end({ wakeInMs: 5000 });
    await vi.advanceTimersByTimeAsync(1000);
    runner.wake();
    await end({ wakeInMs: 100 });
    await vi.advanceTimersByTimeAsync(99);
    expect(pass.executions).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(pass.executions).toBe(3);
    await end();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(pass.executions).toBe(3);
  });

  it('runs again after a failure, with growing pauses up to five seconds, and without pause after a success', async () => {
    const { pass, run, end } = gatedPass();
    const runner = new PassRunner('test', run, quiet);
    runner.wake();
    const pauses: number[] = [];
    for (let failure = 0; failure < 8; failure++) {
      await end(new Error('database away'));
      const before = Date.now();
      await vi.advanceTimersToNextTimerAsync();
      pauses.push(Date.now() - before);
    }
    expect(pauses).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
    await end();
    runner.wake();
    await end(new Error('once more'));
    const before = Date.now();
    await vi.advanceTimersToNextTimerAsync();
    expect(Date.now() - before).toBe(200);
    expect(pass.most).toBe(1);
  });

  it('does not spin when it is woken while it fails', async () => {
    const { pass, run, end } = gatedPass();
    const runner = new PassRunner('test', run, quiet);
    runner.wake();
    runner.wake();
    await end(new Error('database away'));
    expect(pass.executions).toBe(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(pass.executions).toBe(2);
  });

  it('lets the last execution end when it stops and begins no other, neither by wake-up nor by a timer', async () => {
    const { pass, run, end } = gatedPass();
    const runner = new PassRunner('test', run, quiet);
    runner.wake();
    runner.wake();
    let stopped = false;
    const stopping = runner.stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(10);
    expect(stopped).toBe(false);
    await end({ again: true, wakeInMs: 50 });
    await stopping;
    runner.wake();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(pass.executions).toBe(1);
  });
});
