import type { Sql } from '@medley/database';

/** Things of a project that somebody names. */
export interface AskedNames {
  projectId: string;
  names: readonly string[];
}

/**
 * Things of any number of projects by project and name, in one question; for each who asks by name, and only what it asked for. `statement` takes project ids and names
 * of the same length; what is missing is left out.
 */
export async function readNamed<Row extends { projectId: string; name: string }>(
  sql: Sql,
  statement: string,
  asked: readonly AskedNames[],
): Promise<Map<string, Row>[]> {
  const distinct = new Map(asked.flatMap(({ projectId, names }) => names.map((name) => [`${projectId} ${name}`, { projectId, name }])));
  if (distinct.size === 0) return asked.map(() => new Map());
  const pairs = [...distinct.values()];
  const rows = await sql.query<Row>(statement, [pairs.map(({ projectId }) => projectId), pairs.map(({ name }) => name)]);
  const found = new Map(rows.map((row) => [`${row.projectId} ${row.name}`, row]));
  return asked.map(({ projectId, names }) => {
    const own = names.flatMap((name) => found.get(`${projectId} ${name}`) ?? []);
    return new Map(own.map((row) => [row.name, row]));
  });
}
