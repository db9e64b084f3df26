import pg from 'pg';

/**
 * A client of the pool that never ends the process. The pool and TypeORM listen for the loss of a connection in turns, and between them nobody does: when
 * Postgres dies right after it has accepted a connection, its last words stand in the same packet as the acceptance, and an `error` event without a listener
 * is fatal in Node. Nothing is hidden: every statement on such a client is rejected, and the pool drops it.
 */
export class GuardedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => {});
  }
}
