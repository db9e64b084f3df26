import { joinAnswerSchema, type NodeFacts } from '@medley/contracts';
import { AppError } from '@medley/core';
import { backoffMs, pause } from '../backoff.js';
import type { AgentConfig } from '../config.js';
import type { Logger } from '../log.js';
import type { ServerClient } from '../transport/server-client.js';
import { ServerAnswerError } from '../transport/server-errors.js';
import { readCredential, type StoredCredential, writeCredential } from './credential-file.js';

export interface JoinContext {
  client: ServerClient;
  config: AgentConfig;
  credentialPath: string;
  facts: NodeFacts;
  log: Logger;
  signal: AbortSignal;
}

/** The stored credential, or a new one from a join. Throws when there is neither a credential nor a join token. */
export async function obtainCredential(context: JoinContext): Promise<StoredCredential> {
  const stored = await readCredential(context.credentialPath);
  if (stored !== null) {
    context.client.useCredential(stored.credential);
    return stored;
  }
  return joinServer(context);
}

/** Shows the join token, keeps asking while no server answers, and stores what it gets. A refusal is final. */
export async function joinServer({ client, config, credentialPath, facts, log, signal }: JoinContext): Promise<StoredCredential> {
  if (config.joinToken === null) {
    throw new AppError('join-token-invalid', 'This agent has not joined yet: set MEDLEY_JOIN_TOKEN to a join token from the console.');
  }
  client.useCredential(null);
  const body = { token: config.joinToken, name: config.name, facts };
  for (let failures = 0; ; failures += 1) {
    try {
      const answer = await client.request({ method: 'POST', path: 'join', body, answer: joinAnswerSchema, timeoutMs: 10_000, signal });
      const credential = { nodeId: answer.nodeId, name: answer.name, credential: answer.credential };
      await writeCredential(credentialPath, credential);
      client.useCredential(credential.credential);
      log.info({ node: answer.name, pool: answer.pool }, 'joined');
      return credential;
    } catch (error) {
      if (error instanceof ServerAnswerError) {
        throw new AppError('join-token-invalid', `The server refused the join: ${error.message}`, undefined, { cause: error });
      }
      signal.throwIfAborted();
      log.warn({ error: String(error) }, 'cannot join yet, trying again');
      await pause(backoffMs(failures, 200, 5000), signal);
    }
  }
}
