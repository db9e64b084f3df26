import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SecretMask } from './secret-mask.js';

const secret = fc.string({ unit: fc.constantFrom('a', 'b', '+', '/', ' ', '"', 'é', '排'), minLength: 6, maxLength: 14 });
const text = fc.string({ unit: fc.constantFrom('a', 'b', '+', '/', ' ', '"', 'é', '排', '\n', 'Y'), maxLength: 40 });

function masked(secrets: readonly string[], bytes: Buffer, cuts: readonly number[]): string {
  const stream = new SecretMask(secrets).stream();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((one, other) => one - other), bytes.length];
  const pieces = places.slice(1).map((end, index) => stream.push(bytes.subarray(places[index], end)));
  return Buffer.concat([...pieces, stream.end()]).toString('latin1');
}

describe('masking of secrets in a stream', () => {
  it('lets none through, in none of its forms, however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 3 }), fc.array(text), fc.array(fc.nat()), (secrets, texts, cuts) => {
        const spelled = secrets.flatMap((each) => [
          each,
          encodeURIComponent(each),
          ...['', 'x', 'xy'].map((before) => Buffer.from(`${before}${each}z`).toString('base64')),
        ]);
        const whole = [...texts, ...spelled].flatMap((part, index) => [part, texts[index] ?? '']).join('');
        const out = masked(secrets, Buffer.from(whole), cuts);
        for (const form of new SecretMask(secrets).forms) expect(out).not.toContain(form);
      }),
    );
  });

  it('says the same however the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 3 }), fc.array(fc.oneof(text, secret)), fc.array(fc.nat()), (secrets, parts, cuts) => {
        const whole = Buffer.from([...parts, ...secrets, ...parts].join(''));
        expect(masked(secrets, whole, cuts)).toBe(masked(secrets, whole, []));
      }),
    );
  });

  it('changes nothing in what holds none', () => {
    fc.assert(
      fc.property(fc.array(secret, { maxLength: 3 }), fc.uint8Array(), fc.array(fc.nat()), (secrets, bytes, cuts) => {
        const plain = Buffer.from(bytes).toString('latin1');
        fc.pre(!new SecretMask(secrets).forms.some((form) => plain.includes(form)));
        expect(masked(secrets, Buffer.from(bytes), cuts)).toBe(plain);
      }),
    );
  });

  it('passes on at once what cannot begin a secret, and covers secrets that overlap by one mask', () => {
    const stream = new SecretMask(['abcdef', 'defghi']).stream();
    expect(stream.push(Buffer.from('ready\nab')).toString()).toBe('ready\n');
    expect(stream.push(Buffer.from('cdefghi!')).toString()).toBe('•••!');
    expect(new SecretMask(['123456']).deep({ a: [123456, 'x123456'], b: true })).toEqual({ a: ['•••', 'x•••'], b: true });
  });
});
