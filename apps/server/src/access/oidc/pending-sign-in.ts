import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** What has to be known again when the provider sends the browser back. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** The page asked for. */
  to: string;
}

export const PENDING_SECONDS = 600;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals pending sign-ins into a text that only servers of this installation can make and read (AES-256-GCM), so that any of them can finish what
 * another began. The key comes from the client secret, which all of them share and nobody else has.
 */
export class PendingSignInSeal {
  private readonly key: Buffer;

  constructor(
    clientSecret: string,
    private readonly now: () => number,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', clientSecret, '', 'medley pending sign-in', 32));
  }

  seal(pending: PendingSignIn): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const text = JSON.stringify({ ...pending, until: this.now() + PENDING_SECONDS * 1000 });
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** Null for what is older than ten minutes, or was not sealed by `seal`. */
  open(sealed: string): PendingSignIn | null {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8');
      const { until, ...pending } = JSON.parse(text) as PendingSignIn & { until: number };
      return until > this.now() ? pending : null;
    } catch {
      return null;
    }
  }
}
