import { describe, expect, it } from 'vitest';
import { draftOfBackfill, scopeOf } from './backfill-draft.js';

const declarations = { rows: { type: 'integer' }, regions: { type: 'list', items: 'string' } } as const;

describe('the form of a backfill', () => {
  it('begins with the last week, also across a month and a leap day', () => {
    expect(draftOfBackfill('2028-03-02')).toMatchObject({ from: '2028-02-24', to: '2028-03-01', fires: 'missing', parallel: 1 });
  });

  it('asks with values in their types', () => {
    const draft = { ...draftOfBackfill('2026-03-10'), parameters: { rows: '7', regions: 'north\neast' } };
    expect(scopeOf(draft, declarations)).toEqual({
      from: '2026-03-03',
      to: '2026-03-09',
      fires: 'missing',
      parameters: { rows: 7, regions: ['north', 'east'] },
    });
  });

  it('asks for nothing while a field is wrong', () => {
    const draft = draftOfBackfill('2026-03-10');
    expect(scopeOf({ ...draft, parameters: { rows: 'x' } }, declarations)).toBeNull();
    expect(scopeOf({ ...draft, from: '2026-03-10' }, declarations)).toBeNull();
    expect(scopeOf({ ...draft, to: '' }, declarations)).toBeNull();
  });
});
