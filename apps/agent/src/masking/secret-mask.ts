import { secretForms } from './secret-forms.js';

/** Stands in place of a secret; the same as in the audit. */
export const MASK = '•••';
const maskBytes = Buffer.from(MASK, 'utf8').toString('latin1');

interface Interval {
  start: number;
  end: number;
}

/** Replaces secrets, in all their forms, by the mask. */
export class SecretMask {
  /** Of latin-1: one character a byte. */
  readonly forms: readonly string[];

  constructor(secrets: readonly string[]) {
    this.forms = secretForms(secrets);
  }

  text(text: string): string {
    const stream = this.stream();
    return Buffer.concat([stream.push(Buffer.from(text, 'utf8')), stream.end()]).toString('utf8');
  }

  /** All texts in a structure, names of entries included. */
  deep<Value>(value: Value): Value {
    if (typeof value === 'string') return this.text(value) as Value;
    if (typeof value === 'number') return (this.text(String(value)) === String(value) ? value : MASK) as Value;
    if (Array.isArray(value)) return value.map((item) => this.deep(item)) as Value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.deep(inner)])) as Value;
  }

  stream(): MaskStream {
    return new MaskStream(this.forms);
  }
}

/**
 * Masks bytes that come in pieces. Only what may be the beginning of a secret is held back until more is known, so a line without one
 * passes at once. Secrets that overlap are covered by one mask.
 */
export class MaskStream {
  private held = '';
  /** So many bytes at the beginning of `held` are covered by the mask that has gone out last. */
  private covered = 0;

  constructor(private readonly forms: readonly string[]) {}

  push(chunk: Uint8Array): Buffer {
    this.held += Buffer.from(chunk).toString('latin1');
    return this.release(this.firstPossible());
  }

  end(): Buffer {
    return this.release(this.held.length);
  }

  private release(until: number): Buffer {
    const text = this.held;
    let out = '';
    let at = 0;
    let covered = this.covered;
    for (const { start, end } of [...this.occurrences(), { start: text.length, end: text.length }]) {
      if (start >= Math.max(at, covered)) {
        out += text.slice(Math.max(at, covered), Math.min(start, until));
        if (start >= until) break;
        out += maskBytes;
      }
      at = Math.max(at, start);
      covered = Math.max(covered, end);
    }
    this.held = text.slice(until);
    this.covered = Math.max(0, covered - until);
    return Buffer.from(out, 'latin1');
  }

  /** By their start. */
  private occurrences(): Interval[] {
    const found: Interval[] = [];
    for (const form of this.forms) {
      for (let start = this.held.indexOf(form); start >= 0; start = this.held.indexOf(form, start + 1)) {
        found.push({ start, end: start + form.length });
      }
    }
    return found.sort((one, other) => one.start - other.start);
  }

  /** Where the earliest form begins that the end of the text cuts off. */
  private firstPossible(): number {
    const { held } = this;
    let longest = 0;
    const last = held.at(-1);
    for (const form of this.forms) {
      for (let length = Math.min(form.length - 1, held.length); length > longest; length -= 1) {
        if (form[length - 1] === last && held.endsWith(form.slice(0, length))) longest = length;
      }
    }
    return held.length - longest;
  }
}
