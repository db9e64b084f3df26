import { z } from 'zod';
import { KEY_BYTES } from '../sealing/seal.js';

const message = `keys of ${KEY_BYTES} bytes in base64, separated by commas; make one with: openssl rand -base64 ${KEY_BYTES}`;

/** The message does not repeat the keys. */
export const secretKeysSetting = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
  .refine((parts) => parts.every((part) => Buffer.from(part, 'base64').length === KEY_BYTES), message)
  .transform((parts) => parts.map((part) => Buffer.from(part, 'base64')));
