import type { DataSource } from 'typeorm';

interface Client {
  query(...call: unknown[]): Promise<unknown>;
}

const DEADLOCK = '40P01';

/** Counts the statements that Postgres gives up as deadlocks from now on, also where `inTransaction` does the work again. */
export function countDeadlocks(source: DataSource): () => number {
  const known = new WeakSet<Client>();
  let count = 0;
  const listen = (client: Client) => {
    if (known.has(client)) return;
    known.add(client);
    const query = client.query.bind(client);
    client.query = (...call) => {
      const answer = query(...call);
      answer.catch((error: { code?: string }) => {
        if (error.code === DEADLOCK) count++;
      });
      return answer;
    };
  };
  const create = source.createQueryRunner.bind(source);
  source.createQueryRunner = (mode) => {
    const runner = create(mode);
    const connect = runner.connect.bind(runner);
    runner.connect = async () => {
      const client = await connect();
      listen(client as Client);
      return client;
    };
    return runner;
  };
  return () => count;
}
