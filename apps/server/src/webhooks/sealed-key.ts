import { hkdfSync } from 'node:crypto';
import type { Sql } from '@medley/database';
import { KEY_BYTES, seal, unseal } from '../sealing/seal.js';

/** Keys of webhooks at rest: sealed under a key of this installation, bound to their schedule. */
export class KeySeal {
  private constructor(private readonly key: Buffer) {}

  static async open(sql: Sql): Promise<KeySeal> {
    const [row] = await sql.query<{ value: string }>(`select value from settings where key = 'secret'`);
    return new KeySeal(Buffer.from(hkdfSync('sha256', row!.value, '', 'medley webhook keys', KEY_BYTES)));
  }

  seal(scheduleId: string, secret: Buffer): Buffer {
    return seal(this.key, scheduleId, secret);
  }

  /** Throws for what was not sealed for this schedule. */
  unseal(scheduleId: string, sealed: Buffer): Buffer {
    return unseal(this.key, scheduleId, sealed);
  }
}
