import type { DataSource } from 'typeorm';

interface Client {
  query(...call: unknown[]): Promise<unknown>;
}

const DEADLOCK = '40P01';

/** The statements that Postgres gives up as deadlocks from now on, with who waited for whom, also where `inTransaction` does the work again. */
export function hearDeadlocks(source: DataSource): () => string[] {
  const found: string[] = [];
  hear(source, (text, answer) => {
    answer.catch(({ code, detail, where }: { code?: string; detail?: string; where?: string }) => {
      if (code === DEADLOCK) found.push([text, detail, where].join('\n'));
    });
  });
  return () => found;
}

/** Counts the statements from now on whose text holds one of these words. */
export function countStatements(source: DataSource, ...words: string[]): () => number {
  let count = 0;
  hear(source, (text) => {
    if (words.some((word) => text.includes(word))) count++;
  });
  return () => count;
}

/** Hears every statement on the source's connections. */
function hear(source: DataSource, heard: (text: string, answer: Promise<unknown>) => void): void {
  const known = new WeakSet<Client>();
  const create = source.createQueryRunner.bind(source);
  source.createQueryRunner = (mode) => {
    const runner = create(mode);
    const connect = runner.connect.bind(runner);
    runner.connect = async () => {
      const client: Client = await connect();
      if (!known.has(client)) {
        known.add(client);
        const query = client.query.bind(client);
        client.query = (...call) => {
          const answer = query(...call);
          const [statement] = call as [string | { text: string }];
          heard(typeof statement === 'string' ? statement : statement.text, answer);
          return answer;
        };
      }
      return client;
    };
    return runner;
  };
}
