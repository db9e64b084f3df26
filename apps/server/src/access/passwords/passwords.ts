import { randomBytes } from 'node:crypto';
import { argon2id, argon2Verify } from 'hash-wasm';

/** OWASP's second choice of parameters for Argon2id: 19 MiB, two passes, one lane. */
const cost = { parallelism: 1, iterations: 2, memorySize: 19_456, hashLength: 32 };

/** The PHC string of a password under a fresh salt. */
export function hashPassword(password: string): Promise<string> {
  return argon2id({ password, salt: randomBytes(16), ...cost, outputType: 'encoded' });
}

let decoy: Promise<string> | null = null;

/** Whether the password fits. Without a stored hash it takes as long and is false, so that names cannot be probed. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(16).toString('hex'));
  const fits = await argon2Verify({ password, hash: hash ?? (await decoy) });
  return hash !== null && fits;
}
