import type { Sql } from './transaction.js';

interface TableRow {
  oid: number;
  name: string;
  options: string | null;
  partition_key: string | null;
  partition_of: string | null;
  partition_bound: string | null;
}

interface PartRow {
  oid: number;
  line: string;
}

const NOT_OURS = `('schema_migrations')`;

const tablesQuery = `
select c.oid::int, c.relname as name, array_to_string(c.reloptions, ', ') as options, pg_get_partkeydef(c.oid) as partition_key,
  p.relname as partition_of, pg_get_expr(c.relpartbound, c.oid) as partition_bound
from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not in ${NOT_OURS} order by c.relname`;

const columnsQuery = `
select a.attrelid::int as oid, quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
  || case when a.attcompression <> '' then ' compression ' || a.attcompression::text else '' end
  || case when a.attnotnull then ' not null' else '' end
  || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0 and not a.attisdropped and a.attrelid = any($1) order by a.attrelid, a.attnum`;

/** Not-null constraints are told with their columns. */
const constraintsQuery = `
select conrelid::int as oid, 'constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) as line
from pg_constraint where conrelid = any($1) and contype <> 'n' order by contype, conname`;

/** An index that a constraint made is told with the constraint. */
const indexesQuery = `
select i.indrelid::int as oid, pg_get_indexdef(i.indexrelid) || ';' as line
from pg_index i join pg_class c on c.oid = i.indexrelid
where i.indrelid = any($1) and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
order by c.relname`;

/** The tables, constraints and indexes of the schema as text, in an order that does not depend on how they came to be. */
export async function dumpSchema(sql: Sql): Promise<string> {
  const tables = await sql.query<TableRow>(tablesQuery);
  const oids = tables.map((table) => table.oid);
  const [columns, constraints, indexes] = [
    linesByTable(await sql.query<PartRow>(columnsQuery, [oids])),
    linesByTable(await sql.query<PartRow>(constraintsQuery, [oids])),
    linesByTable(await sql.query<PartRow>(indexesQuery, [oids])),
  ];
  const texts = tables.map((table) => {
    const body = [...(columns.get(table.oid) ?? []), ...(constraints.get(table.oid) ?? [])];
    return [tableText(table, body), ...(indexes.get(table.oid) ?? [])].join('\n');
  });
  return `-- What the migrations result in. Made by schema-dump; do not edit.\n\n${texts.join('\n\n')}\n`;
}

function tableText(table: TableRow, body: readonly string[]): string {
  if (table.partition_of) return `create table ${table.name} partition of ${table.partition_of} ${table.partition_bound};`;
  const partitioned = table.partition_key ? ` partition by ${table.partition_key}` : '';
  const options = table.options ? ` with (${table.options})` : '';
  return `create table ${table.name} (\n  ${body.join(',\n  ')}\n)${partitioned}${options};`;
}

function linesByTable(rows: readonly PartRow[]): Map<number, string[]> {
  const lines = new Map<number, string[]>();
  for (const { oid, line } of rows) lines.set(oid, [...(lines.get(oid) ?? []), line]);
  return lines;
}
