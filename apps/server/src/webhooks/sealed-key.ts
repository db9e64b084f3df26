import { hkdfSync } from 'node:crypto';
import type { Sql } from '@medley/database';
import { KEY_BYTES, seal, unseal } from '../sealing/seal.js';
import type { SecretKeys } from '../secrets/secret-keys.js';

const MARK = 'mk1:';

/**
 * Keys of webhooks at rest, bound to their schedule: sealed under the keys of the configuration, in front of which the id of the one that sealed stands; where a server
 * has none, and for those of before, under a key of this installation that the database holds.
 */
export class KeySeal {
  private constructor(
    private readonly installationKey: Buffer,
    private readonly keys: SecretKeys,
  ) {}

  static async open(sql: Sql, keys: SecretKeys): Promise<KeySeal> {
    const [row] = await sql.query<{ value: string }>(`select value from settings where key = 'secret'`);
    return new KeySeal(Buffer.from(hkdfSync('sha256', row!.value, '', 'medley webhook keys', KEY_BYTES)), keys);
  }

  seal(scheduleId: string, secret: Buffer): Buffer {
    if (this.keys.presentId === null) return seal(this.installationKey, scheduleId, secret);
    const { sealed, keyId } = this.keys.sealBytes(ownerOf(scheduleId), secret);
    return Buffer.concat([prefixOf(keyId), sealed]);
  }

  /** Null for what none of this server's keys opens, or was sealed for another schedule. */
  unseal(scheduleId: string, stored: Buffer): Buffer | null {
    const length = prefixOf('').length + this.keys.idLength;
    if (stored.subarray(0, MARK.length).toString('latin1') === MARK) {
      const keyId = stored.subarray(MARK.length, length).toString('latin1');
      const opened = this.keys.openBytes(ownerOf(scheduleId), { sealed: stored.subarray(length), keyId });
      if (opened !== null) return opened;
    }
    try {
      return unseal(this.installationKey, scheduleId, stored);
    } catch {
      return null;
    }
  }
}

/** What stands in front of a key that the key of this id has sealed. */
export function prefixOf(keyId: string): Buffer {
  return Buffer.from(`${MARK}${keyId}`, 'latin1');
}

function ownerOf(scheduleId: string): string {
  return `webhook/${scheduleId}`;
}
