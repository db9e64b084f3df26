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
 * five times, so `work` must have no effect outside the database.
 */
export async function inTransaction<T>(source: DataSource, work: (sql: Sql) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const runner = source.createQueryRunner();
    try {
      await runner.connect();
      await runner.startTransaction();
      const result = await work(sqlOf(runner));
      await runner.commitTransaction();
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => {});
      if (attempt >= MAX_TRIES || !isTransactionConflict(error)) throw error;
    } finally {
      await runner.release().catch(() => {});
    }
  }
}

/** Single statements, each in a transaction of its own. */
export function sqlOutsideTransaction(source: DataSource): Sql {
  return {
    query: async (text, values) => {
      const runner = source.createQueryRunner();
      try {
        return await sqlOf(runner).query(text, values);
      } finally {
        await runner.release();
      }
    },
  };
}

interface PgClient {
  query(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

/**
 * Goes to the driver's client under TypeORM's, so that every statement is prepared once per connection: planning costs as much as running for
 * the small statements of the passes.
 */
function sqlOf(runner: QueryRunner): Sql {
  return {
    query: async <Row>(text: string, values: unknown[] = []) => {
      const client = (await runner.connect()) as PgClient;
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
