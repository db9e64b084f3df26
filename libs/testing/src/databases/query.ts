import pg from 'pg';

export type Row = Record<string, unknown>;

/** Runs one statement on a connection of its own. */
export async function query<T extends Row = Row>(url: string, sql: string, values: readonly unknown[] = []): Promise<T[]> {
  return withConnection(url, async (client) => (await client.query<T>(sql, [...values])).rows);
}

/** Gives `work` a connection and closes it afterwards. */
export async function withConnection<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'medley-testing' });
  // Without a listener the loss of the connection (a killed Postgres) would end the test process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
