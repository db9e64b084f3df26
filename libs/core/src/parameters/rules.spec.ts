import { describe, expect, it } from 'vitest';
import { checkValue, faultsOfRules, type ParameterDeclaration, resolveParameters } from './index.js';
import { patternFault } from './pattern.js';

const isAllowed = (declaration: ParameterDeclaration, value: unknown) => checkValue(declaration, value).ok;

describe('the rules of a parameter', () => {
  it.each<[ParameterDeclaration, unknown, unknown]>([
    [{ type: 'integer', min: 1, max: 3 }, 3, 4],
    [{ type: 'number', min: 0.5 }, 0.5, 0.4],
    [{ type: 'date', min: '2026-01-01', max: '2026-12-31' }, '2026-12-31', '2027-01-01'],
    [{ type: 'string', min: 2, max: 3 }, '排程🚀', 'a'],
    [{ type: 'string', pattern: '[a-z]+-\\d{2}' }, 'ab-12', 'ab-123'],
    [{ type: 'string', pattern: 'a|b' }, 'b', 'ab'],
    [{ type: 'string', enum: ['north', 'east'] }, 'east', 'west'],
    [{ type: 'list', max: 2 }, ['a', 'b'], ['a', 'b', 'c']],
    [{ type: 'list', items: 'integer', enum: [1, 2] }, [2, 1], [1, 3]],
    [{ type: 'list', pattern: '[a-z]+' }, ['a', 'b'], ['a', 'B']],
  ])('%j takes %j and refuses %j', (declaration, good, bad) => {
    expect([isAllowed(declaration, good), isAllowed(declaration, bad)]).toEqual([true, false]);
  });

  it('may let it be left out', () => {
    const declared = { day: { type: 'date', required: false }, owner: { type: 'string' } } as const;
    expect(resolveParameters(declared, { owner: 'a' }, {})).toEqual({ ok: true, values: { owner: 'a' } });
    expect(resolveParameters(declared, {}, {})).toMatchObject({ ok: false, errors: [{ path: 'parameters.owner' }] });
  });

  it.each<[ParameterDeclaration, string]>([
    [{ type: 'boolean', min: 1 }, 'min'],
    [{ type: 'date', max: 5 }, 'max'],
    [{ type: 'integer', min: 3, max: 2 }, 'max'],
    [{ type: 'string', min: -1 }, 'min'],
    [{ type: 'integer', pattern: 'a' }, 'pattern'],
    [{ type: 'string', pattern: '(' }, 'pattern'],
    [{ type: 'string', required: true, default: 'a' }, 'required'],
  ])('%j is told at its `%s`', (declaration, key) => {
    expect(faultsOfRules(declaration).map((fault) => fault.key)).toEqual([key]);
  });

  it.each(['(a+)+', '(a|a)*b*c+d+', '(.*a){10}', '(a)\\1', '(?=a)a', '((a+)b)*', '(a?){50}', 'x'.repeat(201)])(
    'refuse the pattern %s, which may take for ever',
    (pattern) => {
      expect(patternFault(pattern)).not.toBeNull();
    },
  );

  it.each(['[a-z0-9-]+', '\\d{4}-\\d{2}', '(north|east)', '[(+*]+', '\\(a+\\)', '(ab){2}c?', 's3://.+'])(
    'take the pattern %s',
    (pattern) => {
      expect(patternFault(pattern)).toBeNull();
    },
  );
});
