import { describe, expect, it } from 'vitest';
import { LogBuffer } from './log-buffer.js';
import { LineSearch } from './log-search.js';

const write = (buffer: LogBuffer, text: string) =>
  buffer.append([{ stream: 'stdout', offset: 0, text, receivedAt: '2026-01-01T00:00:00Z' }]);
const look = (search: LineSearch, buffer: LogBuffer, wanted: string) => search.look(buffer.takeChanges(), wanted);

describe('a search in a log', () => {
  it('finds what is there and what is added, without regard to case', () => {
    const [buffer, search] = [new LogBuffer(), new LineSearch()];
    write(buffer, 'one\nTwo\nthree two\n');
    expect(look(search, buffer, 'two').matches).toEqual([2, 3]);
    write(buffer, 'TWO\nfour\n');
    expect(look(search, buffer, 'two').matches).toEqual([2, 3, 4]);
    expect(look(search, buffer, 'four').matches).toEqual([5]);
    expect(look(search, buffer, '').matches).toEqual([]);
  });

  it('follows a line that is rewritten', () => {
    const [buffer, search] = [new LogBuffer(), new LineSearch()];
    write(buffer, 'first\nloading 10 %');
    expect(look(search, buffer, '10').matches).toEqual([2]);
    write(buffer, '\rloading 20 %');
    expect(look(search, buffer, '10').matches).toEqual([]);
    expect(look(search, buffer, '20').matches).toEqual([2]);
  });

  it('knows the first line that tells of a failure, also when it comes later', () => {
    const [buffer, search] = [new LogBuffer(), new LineSearch()];
    write(buffer, 'fine\nerrorless\n');
    expect(look(search, buffer, '').trouble).toBeNull();
    write(buffer, 'Traceback (most recent call last)\nValueError\nfatal: no\n');
    expect(look(search, buffer, '').trouble).toBe(3);
    write(buffer, 'error\n');
    expect(look(search, buffer, '').trouble).toBe(3);
  });
});
