import { query } from '@medley/testing';

/** Rows of every table, so that anyone can see that nothing was left unwritten. */
export async function countRows(databaseUrl: string): Promise<[table: string, rows: number][]> {
  const tables = await query<{ name: string }>(
    databaseUrl,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const counts: [string, number][] = [];
  for (const { name } of tables) {
    const [row] = await query<{ rows: number }>(databaseUrl, `select count(*)::int as rows from ${name}`);
    counts.push([name, row?.rows ?? 0]);
  }
  return counts;
}

/** The settings that decide whether a commit is on disk. */
export async function durabilitySettings(databaseUrl: string): Promise<[setting: string, value: string][]> {
  const rows = await query<{ name: string; setting: string }>(
    databaseUrl,
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method') order by name`,
  );
  return rows.map(({ name, setting }) => [name, setting]);
}
