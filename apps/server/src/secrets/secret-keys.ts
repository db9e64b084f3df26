import { createHash } from 'node:crypto';
import { AppError, phrase } from '@medley/core';
import { Inject, Injectable } from '@nestjs/common';
import { ServerConfig } from '../config.js';
import { seal, unseal } from '../sealing/seal.js';

export interface SealedSecret {
  sealed: Buffer;
  keyId: string;
}

/** The keys of the configuration: the first one seals, all of them open. A secret is bound to its project and its name. */
@Injectable()
export class SecretKeys {
  private readonly byId: ReadonlyMap<string, Buffer>;
  /** Of the key that seals; null without any. */
  readonly presentId: string | null;

  constructor(@Inject(ServerConfig) { secretKeys }: ServerConfig) {
    this.byId = new Map(secretKeys.map((key) => [idOf(key), key]));
    this.presentId = secretKeys[0] ? idOf(secretKeys[0]) : null;
  }

  /** Throws secret-keys-missing. */
  require(): string {
    if (this.presentId === null) throw new AppError('secret-keys-missing', phrase('secret-keys-missing'));
    return this.presentId;
  }

  /** Throws secret-keys-missing. */
  seal(projectId: string, name: string, value: string): SealedSecret {
    const keyId = this.require();
    return { sealed: seal(this.byId.get(keyId)!, ownerOf(projectId, name), Buffer.from(value, 'utf8')), keyId };
  }

  /** Null for what none of the keys opens. */
  open(projectId: string, name: string, { sealed, keyId }: SealedSecret): string | null {
    const key = this.byId.get(keyId);
    if (key === undefined) return null;
    try {
      return unseal(key, ownerOf(projectId, name), sealed).toString('utf8');
    } catch {
      return null;
    }
  }
}

/** Tells keys apart and says nothing about them. */
function idOf(key: Buffer): string {
  return createHash('sha256').update('medley secret key').update(key).digest('hex').slice(0, 16);
}

function ownerOf(projectId: string, name: string): string {
  return `${projectId}/${name}`;
}
