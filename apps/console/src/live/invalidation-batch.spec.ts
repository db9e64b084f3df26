import { QueryClient } from '@tanstack/vue-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InvalidationBatch } from './invalidation-batch.js';

describe('a burst of changes', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('invalidates each key once per interval', async () => {
    const client = new QueryClient();
    const invalidate = vi.spyOn(client, 'invalidateQueries');
    const batch = new InvalidationBatch(client);
    for (let index = 0; index < 500; index += 1) batch.add([['runs'], ['run', 'r1']]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(invalidate).toHaveBeenCalledTimes(2);
  });

  it('leaves a key for the next flush while its fetch is under way', async () => {
    const client = new QueryClient();
    const invalidate = vi.spyOn(client, 'invalidateQueries');
    const fetching = vi.spyOn(client, 'isFetching').mockReturnValue(1);
    const batch = new InvalidationBatch(client);
    batch.add([['runs']]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(invalidate).not.toHaveBeenCalled();
    fetching.mockReturnValue(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(invalidate).toHaveBeenCalledTimes(1);
  });
});
