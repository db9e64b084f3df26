import { describe, expect, it } from 'vitest';
import { parseLabels } from './label-text.js';

describe('labels as text', () => {
  it('are pairs parted by commas', () => {
    expect(parseLabels(' zone=dc1, disk = ssd ,')).toEqual({ zone: 'dc1', disk: 'ssd' });
    expect(parseLabels('')).toEqual({});
    expect(parseLabels('url=a=b')).toEqual({ url: 'a=b' });
  });

  it('are refused without a name or a sign', () => {
    expect(parseLabels('zone')).toBeNull();
    expect(parseLabels('=x')).toBeNull();
    expect(parseLabels('1zone=x')).toBeNull();
  });
});
