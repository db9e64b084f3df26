import { createHash, randomBytes } from 'node:crypto';

/**
 * A token by which this start sets things up, made anew each time. It is in the memory of this process only: the server is told its SHA-256, and
 * accepts it for an hour.
 */
export function generateStartToken() {
  const text = `medley_api_${randomBytes(32).toString('base64url')}`;
  return { text, hash: createHash('sha256').update(text).digest('hex') };
}
