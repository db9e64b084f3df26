import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Sql } from '@medley/database';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keys of webhooks at rest: AES-256-GCM under a key of this installation, bound to their schedule, so that one copied to another row does not open. */
export class KeySeal {
  private constructor(private readonly key: Buffer) {}

  static async open(sql: Sql): Promise<KeySeal> {
    const [row] = await sql.query<{ value: string }>(`select value from settings where key = 'secret'`);
    return new KeySeal(Buffer.from(hkdfSync('sha256', row!.value, '', 'medley webhook keys', 32)));
  }

  seal(scheduleId: string, secret: Buffer): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(scheduleId));
    return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  }

  /** Throws for what was not sealed for this schedule. */
  unseal(scheduleId: string, sealed: Buffer): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', this.key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(scheduleId)).setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  }
}
