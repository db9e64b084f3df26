import { describe, expect, it } from 'vitest';
import { stateRows } from './state-rows.js';

describe('what a change is told as', () => {
  it('is one row per field, maps opened, lists and texts whole', () => {
    expect(
      stateRows({ name: 'a', labels: { zone: 'x' }, list: [1] }, { name: 'b', labels: { zone: 'y' }, list: [1, 2], on: false }),
    ).toEqual([
      { field: 'labels.zone', before: 'x', after: 'y' },
      { field: 'list', before: '[1]', after: '[1,2]' },
      { field: 'name', before: 'a', after: 'b' },
      { field: 'on', before: null, after: 'false' },
    ]);
  });

  it('is nothing where nothing is known', () => {
    expect(stateRows(null, null)).toEqual([]);
  });
});
