import { inTransaction } from '@medley/database';
import type { DataSource } from 'typeorm';

/**
 * Runs a statement that leaves what no statement of the server ever does: damage to be mended, or a history nobody lived through. The guard on states does not
 * look at it, nor do foreign keys.
 */
export function unguarded<T = object>(source: DataSource, statement: string, values: unknown[] = []): Promise<T[]> {
  return inTransaction(source, async (sql) => {
    await sql.query(`set local session_replication_role = 'replica'`);
    return sql.query<T & object>(statement, values);
  });
}
