import type { DataSource, QueryRunner } from 'typeorm';

/** Runs SQL inside one transaction. */
export interface Sql {
  /** Rows of a statement with $1… parameters. */
  query<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

const RETRYABLE = new Set(['40001', '40P01']);
const MAX_TRIES = 5;

/** True when another transaction was in the way and the same work may succeed when done again. */
export function isTransactionConflict(error: unknown): boolean {
  return RETRYABLE.has(
    (error as { code?: string; driverError?: { code?: string } })?.driverError?.code ?? (error as { code?: string })?.code ?? '',
  );
}

/**
 * Runs `work` in one READ COMMITTED transaction and commits it. Deadlocks and serialization failures are rolled back and done again, at most
 * five times, so `work` must have no effect outside the database. Statements that `work` does not wait for one by one share a round trip and are carried out
 * in the order in which they were given; BEGIN travels with the first.
 */
export function inTransaction<T>(source: DataSource, work: (sql: Sql) => Promise<T>): Promise<T> {
  return retried(source, async (client) => {
    const begun = client.query('begin');
    begun.catch(() => {}); // told by the first statement or by the await below
    const result = await work(sqlOf(client));
    await begun;
    await client.query('commit');
    return result;
  });
}

/**
 * Runs statements of which none needs the rows of another in one transaction and one round trip, its begin and commit included. When one fails the commit that
 * follows it undoes the others. Retried as `inTransaction` is.
 */
export function inOneRoundTrip<T extends readonly unknown[]>(
  source: DataSource,
  statements: (sql: Sql) => readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  return retried(source, async (client) => {
    const begun = client.query('begin');
    const all = statements(sqlOf(client));
    const committed = client.query('commit');
    const [, results] = await roundTrip([begun, roundTrip<T>(all), committed]);
    return results;
  });
}

async function retried<T>(source: DataSource, transaction: (client: PgClient) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const runner = source.createQueryRunner();
    let client: PgClient | null = null;
    try {
      client = await clientOf(runner);
      return await transaction(client);
    } catch (error) {
      await client?.query('rollback').catch(() => client?.end()); // a connection in an unknown state does not go back to the pool
      if (attempt >= MAX_TRIES || !isTransactionConflict(error)) throw error;
    } finally {
      await runner.release().catch(() => {});
    }
  }
}

const IN_FAILED_TRANSACTION = '25P02';

/**
 * Statements that share a round trip. Waits for all of them, also when one fails, so that nothing goes on in a transaction that has been given up; throws the
 * failure that made the others fail.
 */
export async function roundTrip<T extends readonly unknown[]>(statements: readonly [...{ [K in keyof T]: Promise<T[K]> }]): Promise<T> {
  const results = await Promise.allSettled(statements);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  if (failures.length > 0) throw failures.find((failure) => failure?.code !== IN_FAILED_TRANSACTION) ?? failures[0];
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as unknown as T;
}

/** Single statements, each in a transaction of its own. */
export function sqlOutsideTransaction(source: DataSource): Sql {
  return {
    query: async (text, values) => {
      const runner = source.createQueryRunner();
      try {
        return await sqlOf(await clientOf(runner)).query(text, values);
      } finally {
        await runner.release();
      }
    },
  };
}

interface PgClient {
  query(query: string | { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
  end(): Promise<void>;
}

async function clientOf(runner: QueryRunner): Promise<PgClient> {
  return (await runner.connect()) as PgClient;
}

/**
 * Goes to the driver's client under TypeORM's, so that every statement is prepared once per connection: planning costs as much as running for
 * the small statements of the passes.
 */
function sqlOf(client: PgClient): Sql {
  return {
    query: async <Row>(text: string, values: unknown[] = []) => {
      const result = await client.query({ name: statementName(text), text, values });
      return result.rows as Row[];
    },
  };
}

const names = new Map<string, string>();

/** Statement texts are constants of the program, so the map stays small. */
function statementName(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `medley-${names.size}`;
    names.set(text, name);
  }
  return name;
}
