import { createHash } from 'node:crypto';
import { AppError, phrase } from '@medley/core';
import { Inject, Injectable } from '@nestjs/common';
import { ServerConfig } from '../config.js';
import { seal, unseal } from '../sealing/seal.js';

const ID_LENGTH = 16;

export interface SealedSecret {
  sealed: Buffer;
  keyId: string;
}

/** The keys of the configuration: the first one seals, all of them open. A secret is bound to its project and its name. */
@Injectable()
export class SecretKeys {
  private readonly byId: ReadonlyMap<string, Buffer>;
  /** Characters of a key's id. */
  readonly idLength = ID_LENGTH;
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
    return this.sealBytes(ownerOf(projectId, name), Buffer.from(value, 'utf8'));
  }

  /** Null for what none of the keys opens. */
  open(projectId: string, name: string, sealed: SealedSecret): string | null {
    return this.openBytes(ownerOf(projectId, name), sealed)?.toString('utf8') ?? null;
  }

  /** For any owner but the secrets of projects. Throws secret-keys-missing. */
  sealBytes(owner: string, plain: Buffer): SealedSecret {
    const keyId = this.require();
    return { sealed: seal(this.byId.get(keyId)!, owner, plain), keyId };
  }

  /** Null for what none of the keys opens. */
  openBytes(owner: string, { sealed, keyId }: SealedSecret): Buffer | null {
    const key = this.byId.get(keyId);
    if (key === undefined) return null;
    try {
      return unseal(key, owner, sealed);
    } catch {
      return null;
    }
  }
}

/** Tells keys apart and says nothing about them. */
function idOf(key: Buffer): string {
  return createHash('sha256').update('medley secret key').update(key).digest('hex').slice(0, ID_LENGTH);
}

function ownerOf(projectId: string, name: string): string {
  return `${projectId}/${name}`;
}
