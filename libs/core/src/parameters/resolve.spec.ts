import { describe, expect, it } from 'vitest';
import { type ParameterDeclarations, resolveParameters } from './index.js';

const declared: ParameterDeclarations = {
  day: { type: 'date', default: '${{ schedule.date }}' },
  regions: { type: 'list', items: 'string', default: ['north', 'east'] },
  limit: { type: 'integer', default: 10 },
  factor: { type: 'number', default: 0.5 },
  dry: { type: 'boolean', default: false },
  owner: { type: 'string', default: 'growth' },
};
const schedule = { fireTime: '2026-10-24T18:30:00.000Z', date: '2026-10-25', zone: 'Asia/Shanghai' };

describe('resolving parameters', () => {
  it('takes defaults, with the date of the schedule', () => {
    expect(resolveParameters(declared, {}, { schedule })).toEqual({
      ok: true,
      values: { day: '2026-10-25', regions: ['north', 'east'], limit: 10, factor: 0.5, dry: false, owner: 'growth' },
    });
  });

  it('takes what a person gives literally, and what a schedule gives as a template', () => {
    const given = { day: '2026-01-01', owner: '${{ schedule.date }}' };
    expect(resolveParameters(declared, given, { schedule })).toMatchObject({ values: { owner: '${{ schedule.date }}' } });
    expect(resolveParameters(declared, given, { schedule }, 'templates')).toMatchObject({ values: { owner: '2026-10-25' } });
  });

  it.each([
    ['day', '2026-02-30', 'is not a date'],
    ['day', '25.10.2026', 'is not a date'],
    ['regions', 'north', 'is not a list'],
    ['regions', ['north', 7], 'item 2'],
    ['limit', 1.5, 'is not a whole number'],
    ['limit', '10', 'is not a whole number'],
    ['factor', Number.NaN, 'is not a number'],
    ['dry', 'yes', 'is not true or false'],
    ['owner', null, 'is not a text'],
  ])('refuses %s = %j', (name, value, message) => {
    const resolved = resolveParameters(declared, { day: '2026-01-01', [name]: value }, { schedule });
    expect(resolved).toMatchObject({ ok: false, errors: [{ path: `parameters.${name}` }] });
    expect(!resolved.ok && resolved.errors[0]!.message).toContain(message);
  });

  it('tells every fault at once: unknown names with the nearest, missing values, wrong types', () => {
    const resolved = resolveParameters({ ...declared, source: { type: 'string' } }, { regoins: [], limit: 'x' }, { schedule: null });
    if (resolved.ok) throw new Error('faults were expected');
    const told = Object.fromEntries(resolved.errors.map((error) => [error.path, error.message]));
    expect(Object.keys(told).sort()).toEqual(['parameters.day', 'parameters.limit', 'parameters.regoins', 'parameters.source']);
    expect(told['parameters.regoins']).toContain('did you mean `regions`?');
    expect(told['parameters.day']).toContain('only runs started by a schedule');
    expect(told['parameters.source']).toContain('no value and no default');
  });

  it('does not take inherited names for parameters', () => {
    expect(resolveParameters({}, { toString: 'x' }, {})).toMatchObject({ ok: false });
  });
});
