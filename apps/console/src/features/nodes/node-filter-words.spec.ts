import { describe, expect, it } from 'vitest';
import { filterOf } from './node-filter-words.js';

const words = { search: '', labels: '', pool: '', state: '', service: '' };
const poolId = '01890000-0000-7000-8000-000000000001';

describe('the filter of the node list', () => {
  it('holds what the address says, under the names of the API', () => {
    expect(filterOf(words)).toEqual({});
    expect(filterOf({ ...words, pool: poolId, labels: 'zone = dc1', state: 'online', service: 'open' })).toEqual({
      poolId,
      labels: 'zone = dc1',
      state: 'online',
      service: 'open',
    });
  });

  it('leaves out what no filter is', () => {
    expect(filterOf({ ...words, pool: 'no-id', state: 'tired', labels: 'zone =', search: 'web' })).toEqual({ search: 'web' });
  });
});
