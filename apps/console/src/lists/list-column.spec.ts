import { describe, expect, it } from 'vitest';
import { sortBy, turnedSort } from './list-column.js';

describe('the head of a column', () => {
  it('sorts first as the column says, then the other way round', () => {
    const [name, cpu] = [sortBy('name'), sortBy('cpu', 'descending')];
    expect([turnedSort(name, 'cpu'), turnedSort(name, 'name'), turnedSort(name, '-name')]).toEqual(['name', '-name', 'name']);
    expect([turnedSort(cpu, 'name'), turnedSort(cpu, '-cpu')]).toEqual(['-cpu', 'cpu']);
  });
});
