import { describe, expect, it } from 'vitest';
import { RefusalBudget } from './refusal-budget.js';

const MINUTE_MS = 60_000;

describe('the budget of refusals', () => {
  it('lets ten of one source in a minute, and tells with the next one how many were left out', () => {
    let now = 0;
    const budget = new RefusalBudget(() => now);
    const admitted = Array.from({ length: 25 }, () => budget.admit('anna'));
    expect(admitted.filter((each) => each !== null)).toEqual(Array(10).fill(0));
    expect(budget.admit('bert')).toBe(0);
    now += MINUTE_MS;
    expect(budget.admit('anna')).toBe(15);
    expect(budget.admit('anna')).toBe(0);
  });

  it('lets at most three hundred in a minute, however many sources there are', () => {
    const budget = new RefusalBudget(() => 5);
    const admitted = Array.from({ length: 1000 }, (_, source) => budget.admit(String(source)));
    expect(admitted.filter((each) => each !== null)).toHaveLength(300);
  });
});
