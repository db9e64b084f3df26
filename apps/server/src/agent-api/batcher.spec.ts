import { describe, expect, it } from 'vitest';
import { Batcher } from './batcher.js';

/** A batch function whose executions end when the test says so. */
function gated() {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const run = async (inputs: number[]) => {
    batches.push(inputs);
    await new Promise<void>((resolve) => gates.push(resolve));
    return inputs.map((input) => input * 10);
  };
  return { batches, run, open: () => gates.shift()!() };
}

const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

const one = () => 1;

describe('Batcher', () => {
  it('takes calls of one turn together and answers each with its own', async () => {
    const { batches, run, open } = gated();
    const batcher = new Batcher(run, one, 10);
    const answers = [batcher.submit(1), batcher.submit(2), batcher.submit(3)];
    await turns();
    open();
    expect(await Promise.all(answers)).toEqual([10, 20, 30]);
    expect(batches).toEqual([[1, 2, 3]]);
  });

  it('collects what comes while a batch is under way for the next one, and runs one at a time', async () => {
    const { batches, run, open } = gated();
    const batcher = new Batcher(run, one, 10);
    const first = batcher.submit(1);
    await turns();
    const later = [batcher.submit(2), batcher.submit(3)];
    await turns();
    expect(batches).toEqual([[1]]);
    open();
    await first;
    await turns();
    expect(batches).toEqual([[1], [2, 3]]);
    open();
    expect(await Promise.all(later)).toEqual([20, 30]);
  });

  it('closes a batch before it grows beyond its size, but never leaves one empty', async () => {
    const { batches, run, open } = gated();
    const batcher = new Batcher(run, (input) => input, 10);
    const answers = [6, 4, 1, 50, 2].map((input) => batcher.submit(input));
    for (let batch = 0; batch < 4; batch++) {
      await turns();
      open();
    }
    await Promise.all(answers);
    expect(batches).toEqual([[6, 4], [1], [50], [2]]);
  });

  it('fails only the call that is at fault when the batch fails for what one of them holds', async () => {
    const run = async (inputs: number[]) => {
      if (inputs.includes(13)) throw new Error('13 is refused');
      return inputs.map((input) => input * 10);
    };
    const batcher = new Batcher(run, one, 10);
    const answers = await Promise.allSettled([1, 13, 2].map((input) => batcher.submit(input)));
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : String(answer.reason)))).toEqual([
      10,
      'Error: 13 is refused',
      20,
    ]);
  });

  it('does not ask again one by one when the fault is not of one call', async () => {
    let executions = 0;
    const run = async (): Promise<number[]> => {
      executions++;
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    };
    const batcher = new Batcher(run, one, 10);
    const answers = await Promise.allSettled([1, 2, 3].map((input) => batcher.submit(input)));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(executions).toBe(1);
  });

  it('goes on after a failure', async () => {
    let broken = true;
    const batcher = new Batcher(
      async (inputs: number[]) => {
        if (broken) throw new Error('not now');
        return inputs;
      },
      one,
      10,
    );
    await expect(batcher.submit(1)).rejects.toThrow('not now');
    broken = false;
    expect(await batcher.submit(2)).toBe(2);
  });
});
