import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError, type Phrase, phrase } from '@medley/core';

/** As Standard Webhooks writes secrets: a prefix that secret scanners know, and the key in base64. */
const SECRET_PREFIX = 'whsec_';
const ID_FORM = /^[\x21-\x7e]{1,200}$/;

/** The three headers of a delivery (https://www.standardwebhooks.com), as they came. */
export interface DeliveryHeaders {
  id: string;
  /** Unix seconds. */
  timestamp: number;
  signatures: string[];
}

export function generateKey(): Buffer {
  return randomBytes(32);
}

/** The form in which a key is shown, once. */
export function secretOf(key: Buffer): string {
  return `${SECRET_PREFIX}${key.toString('base64')}`;
}

/** Throws webhook-signature-invalid with the header that is missing or malformed, and what belongs there. */
export function readHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): DeliveryHeaders {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
    throw refused(phrase('webhook-header-missing', { name }));
  }) as [string, string, string];
  if (!ID_FORM.test(id)) throw refused(phrase('webhook-id-form'));
  if (!/^\d{1,12}$/.test(timestamp)) throw refused(phrase('webhook-timestamp-form'));
  const signatures = signature.split(' ').flatMap((each) => (each.startsWith('v1,') ? [each.slice(3)] : []));
  if (signatures.length === 0) throw refused(phrase('webhook-signature-form'));
  return { id, timestamp: Number(timestamp), signatures };
}

/** The HMAC-SHA256 over `id.timestamp.body`, in base64. */
export function sign(key: Buffer, id: string, timestamp: number, body: Buffer): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

/** Whether some signature is that of some key; takes as long whichever it is. */
export function isSigned(keys: readonly Buffer[], { id, timestamp, signatures }: DeliveryHeaders, body: Buffer): boolean {
  let found = false;
  for (const key of keys) {
    const expected = Buffer.from(sign(key, id, timestamp, body));
    for (const signature of signatures) {
      const given = Buffer.from(signature);
      if (given.length === expected.length && timingSafeEqual(given, expected)) found = true;
    }
  }
  return found;
}

function refused(text: Phrase): AppError {
  return new AppError('webhook-signature-invalid', text);
}
