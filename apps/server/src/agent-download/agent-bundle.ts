import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { AGENT_BUNDLE_PATH, type AgentBundle } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { Inject, Injectable } from '@nestjs/common';
import { ServerConfig } from '../config.js';

interface Loaded {
  modifiedMs: number;
  content: Buffer;
  about: AgentBundle;
}

/** The packed agent that this server hands out, read again when a new build has replaced it. */
@Injectable()
export class AgentBundleFile {
  private loaded: Loaded | null = null;

  constructor(@Inject(ServerConfig) private readonly config: ServerConfig) {}

  /** Throws not-found where none was built. */
  async read(): Promise<{ content: Buffer; about: AgentBundle }> {
    const path = this.config.agentBundle;
    const found = path === null ? null : await stat(path).catch(() => null);
    if (path === null || found === null) {
      throw new AppError('not-found', phrase('no-packed-agent'));
    }
    if (this.loaded?.modifiedMs !== found.mtimeMs) {
      const content = await readFile(path);
      const sha256 = createHash('sha256').update(content).digest('hex');
      this.loaded = { modifiedMs: found.mtimeMs, content, about: { path: AGENT_BUNDLE_PATH, sha256, bytes: content.length } };
    }
    return this.loaded;
  }
}
