import { describe, expect, it } from 'vitest';
import { waitFor } from './wait-for.js';

describe('waitFor', () => {
  it('returns the first value that is neither null, undefined nor false', async () => {
    const answers = [null, undefined, false, 0];
    expect(await waitFor(() => answers.shift(), { pollMs: 1 })).toBe(0);
  });

  it('takes a thrown error as not yet', async () => {
    let calls = 0;
    const value = await waitFor(
      () => {
        calls += 1;
        if (calls < 3) throw new Error('not yet');
        return calls;
      },
      { pollMs: 1 },
    );
    expect(value).toBe(3);
  });

  it('says what was awaited and what went wrong last when the time is over', async () => {
    const failing = waitFor(
      () => {
        throw new Error('refused');
      },
      { timeoutMs: 20, pollMs: 5, describe: 'the door to open' },
    );
    await expect(failing).rejects.toThrow('the door to open');
    await expect(failing).rejects.toMatchObject({ cause: new Error('refused') });
  });
});
