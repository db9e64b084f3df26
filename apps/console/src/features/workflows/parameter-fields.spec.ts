import type { ParameterDeclaration } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { type FieldInput, fieldsOf, initialInput, readField } from './parameter-fields.js';

const read = (declaration: ParameterDeclaration, input: FieldInput) => readField(fieldsOf({ it: declaration })[0]!, input);

describe('a parameter field', () => {
  it('begins with the default, lists one item a line', () => {
    const [field] = fieldsOf({ regions: { type: 'list', default: ['north', 'east'] } });
    expect(initialInput(field!)).toBe('north\neast');
  });

  it('leaves a default that the server computes to the server', () => {
    const declaration: ParameterDeclaration = { type: 'date', default: '${' + '{ schedule.date }}' };
    expect(fieldsOf({ day: declaration })[0]!.computed).toContain('schedule.date');
    expect(read(declaration, null)).toEqual({ ok: true, value: undefined });
    expect(read(declaration, '2026-02-03')).toEqual({ ok: true, value: '2026-02-03' });
  });

  it('sends values in their type', () => {
    expect(read({ type: 'list', items: 'integer' }, '1\n 2 \n')).toEqual({ ok: true, value: [1, 2] });
    expect(read({ type: 'integer' }, 5)).toEqual({ ok: true, value: 5 });
    expect(read({ type: 'boolean' }, true)).toEqual({ ok: true, value: true });
    expect(read({ type: 'string' }, null)).toEqual({ ok: true, value: '' });
  });

  it('tells what was expected', () => {
    expect(read({ type: 'date' }, null)).toMatchObject({ ok: false, expected: { code: 'a-date' } });
    expect(read({ type: 'list', items: 'number' }, 'x')).toMatchObject({ ok: false });
    expect(read({ type: 'integer' }, 1.5)).toMatchObject({ ok: false });
  });
});
