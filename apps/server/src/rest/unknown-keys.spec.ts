import { type RestRoute, restRoutes } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { everyKeyUnknown, unknownKeys } from './unknown-keys.js';

const cap = z.object({ cpuMillis: z.number().optional() });
const schema = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.string()).default({}),
  cap: cap.nullable().default(null),
  list: z.array(cap).optional(),
  policy: z.discriminatedUnion('selector', [
    z.strictObject({ selector: z.literal('a'), k: z.number().optional() }),
    z.strictObject({ selector: z.literal('b') }),
  ]),
  loose: z.object({ code: z.string() }).loose().optional(),
});
const pathsOf = (value: unknown) => unknownKeys(schema, value, 'field').map(({ path }) => path);

describe('unknown keys', () => {
  it.each([
    ['at the top', { nmae: 'x' }, ['nmae']],
    ['behind a default that may be null', { cap: { cpuMilis: 1 } }, ['cap.cpuMilis']],
    ['in a list', { list: [{ cpuMillis: 1 }, { cpu: 1 }] }, ['list.1.cpu']],
    ['in the form that the discriminator names', { policy: { selector: 'b', k: 1 } }, ['policy.k']],
    ['several at once', { nmae: 'x', cap: { cpu: 1 } }, ['nmae', 'cap.cpu']],
    ['that are on every object', { constructor: 1 }, ['constructor']],
  ])('are found %s', (_, value, paths) => {
    expect(pathsOf(value)).toEqual(paths);
  });

  it.each([
    ['known ones', { name: 'x', policy: { selector: 'a', k: 1 } }],
    ['those of a map that the caller fills', { labels: { anything: 'x' } }],
    ['those of a loose object', { loose: { code: 'x', more: 1 } }],
    ['what is no object', 'text'],
  ])('are not %s', (_, value) => {
    expect(pathsOf(value)).toEqual([]);
  });

  it('are told with the nearest known one, and all when nothing is near', () => {
    expect(unknownKeys(cap, { cpuMilis: 1 }, 'field')).toMatchObject([
      { path: 'cpuMilis', message: 'is not a known field; did you mean `cpuMillis`?', expected: 'one of: cpuMillis' },
    ]);
    expect(everyKeyUnknown({ a: 1 }, 'query parameter')).toMatchObject([{ path: 'a', message: 'is not a known query parameter' }]);
  });

  const objects = Object.entries(restRoutes as Record<string, RestRoute>).flatMap(([name, { query, body, bodyForm }]) => [
    ...(query ? [[`query of ${name}`, query] as const] : []),
    ...(body && !bodyForm ? [[`body of ${name}`, body] as const] : []),
  ]);
  /** A provider adds parameters of its own to what it sends back, and whoever calls a webhook sends what it has: they have to be let through. */
  const open = ['query of finishOidcSignIn', 'body of receiveWebhook'];
  it.each(objects)('are found in the %s, unless others write it', (name, each) => {
    const found = unknownKeys(each, { 'no-such-key': 1 }, 'field').map(({ path }) => path);
    expect(found).toEqual(open.includes(name) ? [] : ['no-such-key']);
  });
});
