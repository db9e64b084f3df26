import { noResources } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { readLimits } from './place.limits.js';

describe('the limits of a turn', () => {
  it('cost no question to the database where no waiting request takes any', async () => {
    const sql = {
      query: () => {
        throw new Error('the database was asked');
      },
    };
    const shape = { hash: 'x', request: { resources: noResources, labels: null, runtime: null, project: 'p' }, quota: null };
    const taken = await readLimits(sql as never, 'pool', [shape, { ...shape, hash: 'y' }]);
    expect([taken.limits, taken.takes.size, taken.busy.size]).toEqual([[], 0, 0]);
  });
});
