import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStream } from './event-stream.js';

const run = (id: string) => ({ entity: 'run' as const, id });

describe('an event stream', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('tells a thing that changed three times within a moment once', () => {
    const written: string[] = [];
    const stream = new EventStream((text) => written.push(text) > 0);
    stream.add([run('a'), run('b')]);
    stream.add([run('a')]);
    vi.advanceTimersByTime(250);
    expect(written).toEqual([`event: changed\ndata: ${JSON.stringify([run('a'), run('b')])}\n\n`]);
    stream.close();
  });

  it('asks for everything again rather than listing thousands of changes', () => {
    const written: string[] = [];
    const stream = new EventStream((text) => written.push(text) > 0);
    stream.add(Array.from({ length: 2000 }, (_, index) => run(String(index))));
    vi.advanceTimersByTime(250);
    expect(written).toEqual(['event: hello\ndata: {}\n\n']);
    stream.close();
  });

  it('keeps the connection alive with comments', () => {
    const written: string[] = [];
    const stream = new EventStream((text) => written.push(text) > 0);
    vi.advanceTimersByTime(15_000);
    expect(written).toEqual([': still here\n\n']);
    stream.close();
  });

  it('is closed once for a client that does not read', () => {
    const closed = vi.fn();
    const stream = new EventStream(() => false);
    stream.onClose(closed);
    stream.add([run('a')]);
    vi.advanceTimersByTime(60_000);
    stream.close();
    expect(closed).toHaveBeenCalledTimes(1);
  });
});
