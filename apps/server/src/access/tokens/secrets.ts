import { createHash, randomBytes, randomInt } from 'node:crypto';

const PASSWORD_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** 256 random bits as text, with a prefix that tells people and secret scanners what it is. */
export function generateToken(prefix: 'medley_session' | 'medley_api' | 'medley_join' | 'medley_node'): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** A password of 20 letters that are hard to confuse: about 116 bits. */
export function generatePassword(): string {
  return Array.from({ length: 20 }, () => PASSWORD_LETTERS[randomInt(PASSWORD_LETTERS.length)]).join('');
}

/** What is stored of a token. Tokens are random and long, so that one round of SHA-256 is enough. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
