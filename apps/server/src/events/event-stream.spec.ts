import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStream } from './event-stream.js';

const run = (id: string) => ({ entity: 'run' as const, id });
const changed = (...ids: string[]) => `event: changed\ndata: ${JSON.stringify(ids.map(run))}\n\n`;
const hello = 'event: hello\ndata: {}\n\n';

describe('an event stream', () => {
  let written: string[];
  let keepsUp: boolean;
  let stream: EventStream;

  beforeEach(() => {
    vi.useFakeTimers();
    written = [];
    keepsUp = true;
    stream = new EventStream((text) => {
      written.push(text);
      return keepsUp;
    });
  });
  afterEach(() => {
    stream.close();
    vi.useRealTimers();
  });

  it('greets, which tells a client that reconnects to fetch again', () => {
    expect(written).toEqual([hello]);
  });

  it('tells a thing that changed three times within a moment once', () => {
    stream.add([run('a'), run('b')]);
    stream.add([run('a')]);
    vi.advanceTimersByTime(250);
    expect(written).toEqual([hello, changed('a', 'b')]);
  });

  it('asks for everything again rather than listing thousands of changes', () => {
    stream.add(Array.from({ length: 2000 }, (_, index) => run(String(index))));
    vi.advanceTimersByTime(250);
    expect(written).toEqual([hello, hello]);
  });

  it('collects for a client that does not read and tells it all once it does', () => {
    keepsUp = false;
    stream.add([run('a')]);
    vi.advanceTimersByTime(250);
    stream.add([run('b')]);
    vi.advanceTimersByTime(20_000);
    expect(written).toEqual([hello, changed('a')]);
    keepsUp = true;
    stream.drained();
    expect(written).toEqual([hello, changed('a'), changed('b')]);
  });

  it('keeps the connection alive with comments', () => {
    vi.advanceTimersByTime(15_000);
    expect(written).toEqual([hello, ': still here\n\n']);
  });

  it('sends nothing after it was closed', () => {
    const closer = vi.fn();
    stream.onClose(closer);
    stream.add([run('a')]);
    stream.close();
    stream.close();
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual([hello]);
    expect(closer).toHaveBeenCalledTimes(1);
  });
});
