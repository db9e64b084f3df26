import { phraseOfMessage, restRoutes } from '@medley/contracts';
import { phraseTexts } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ZodValidationPipe } from './zod-validation.pipe.js';

const pipe = new ZodValidationPipe();

function messages(schema: z.ZodType, value: unknown): string[] {
  try {
    pipe.transform(value, { type: 'body', schema } as never);
    return [];
  } catch (error) {
    return (error as { fields: { path: string; message: string }[] }).fields.map(({ path, message }) => `${path}: ${message}`);
  }
}
const one = (type: z.ZodType) => z.object({ a: type });

describe('what a request has wrong, in words', () => {
  it.each([
    ['a whole number beyond the limit', z.number().int().max(200), 1e6, 'a: is too large: at most 200'],
    ['a whole number beyond what is exact', z.number().int(), 1e20, 'a: is too large: at most 9007199254740991'],
    ['both at once', z.coerce.number().int().max(200), '99999999999999999999', 'a: is too large: at most 200'],
    ['a number below the limit', z.number().min(1), 0, 'a: is too small: at least 1'],
    ['a bound that is excluded', z.number().positive(), 0, 'a: is too small: more than 0'],
    ['a fraction', z.number().int(), 1.5, 'a: is not a whole number'],
    ['a text for a number', z.number(), 'x', 'a: is not a number'],
    ['nothing', z.string(), undefined, 'a: is missing'],
    ['an empty text', z.string().min(1), '', 'a: is empty'],
    ['a long text', z.string().max(3), 'four', 'a: is too long: at most 3 characters'],
    ['a choice', z.enum(['all', 'failed']), 'some', 'a: has to be one of all, failed'],
    ['an id', z.uuid(), 'x', 'a: is not an id (a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057)'],
    ['an instant', z.iso.datetime(), 'today', 'a: is not an instant in UTC (such as 2026-03-29T01:00:00Z)'],
    ['an empty list', z.array(z.string()).min(1), [], 'a: is empty'],
    ['no branch of several', z.union([z.number(), z.literal('infinity')]), true, 'a: is not a number, and has to be infinity'],
    ['words of the schema itself', z.string().regex(/^x/, 'begins with x'), 'y', 'a: begins with x'],
  ])('%s', (_, type, value, message) => {
    expect(messages(one(type), { a: value })).toEqual([message]);
  });

  it('has a phrase wherever the words are those of one of our own schemas', () => {
    const custom: string[] = [];
    const visited = new Set<unknown>();
    const collect = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null || visited.has(schema)) return;
      visited.add(schema);
      if (schema instanceof z.ZodType || '_zod' in schema) {
        const { error } = (schema as { _zod: { def: { error?: (issue: object) => unknown } } })._zod.def;
        const message = error?.({ code: 'custom', path: [], input: null });
        const isCode = typeof message === 'string' && Object.hasOwn(phraseTexts, message);
        if (typeof message === 'string' && !isCode && phraseOfMessage(message) === null) custom.push(message);
        collect((schema as { _zod: { def: object } })._zod.def);
        return;
      }
      for (const inner of Object.values(schema)) collect(inner);
    };
    collect(restRoutes);
    expect(visited.size).toBeGreaterThan(500);
    expect(custom).toEqual([]);
  });
});
