import { describe, expect, it } from 'vitest';
import { wholeOptions } from './number-option.js';

const known = { tasks: { default: 5000, least: 1, most: 10_000 }, rounds: { default: 3, least: 1, most: 100 } };

describe('options of a bench', () => {
  it('keep their defaults unless named', () => {
    expect(wholeOptions(['--tasks', '20'], known)).toEqual({ tasks: 20, rounds: 3 });
  });

  it.each([
    [['--tasks', '0'], '--tasks: "0" is not a number from 1 to 10000'],
    [['--tasks', '1.5'], '--tasks: "1.5" is not a whole number'],
    [['--tasks'], '--tasks: "" is not a number'],
    [['--task', '5'], '"--task" is no option of this bench; there are --tasks N (default 5000), --rounds N (default 3)'],
    [['tasks', '5'], '"tasks" is no option'],
  ])('%j is refused', (args, message) => {
    expect(() => wholeOptions(args, known)).toThrow(message);
  });
});
