import type { SearchHit } from '@medley/contracts';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';

const MOST_OF_KIND = 8;
const RUNS_OF_WORKFLOWS = 3;

/** $1 is the text in lower case, $2 the projects or null, $3 the most rows. What begins with the text goes before what only contains it, short before long. */
const byName = (name: string) => `position($1 in lower(${name})) > 0`;
const best = (name: string, id: string) =>
  `order by lower(${name}) <> $1, not starts_with(lower(${name}), $1), length(${name}), ${name}, ${id} limit $3`;

const selects = {
  workflow: `select 'workflow' as kind, w.id, w.name, p.name as within, w.id as "workflowId", null as state, null as "createdAt"
    from workflows w join projects p on p.id = w.project_id
    where ${byName('w.name')} and ($2::uuid[] is null or w.project_id = any($2)) ${best('w.name', 'w.id')}`,
  schedule: `select 'schedule' as kind, s.id, s.name, w.name as within, w.id as "workflowId", null as state, null as "createdAt"
    from schedules s join workflows w on w.id = s.workflow_id
    where s.removed_at is null and ${byName('s.name')} and ($2::uuid[] is null or s.project_id = any($2)) ${best('s.name', 's.id')}`,
  node: `select 'node' as kind, n.id, n.name, p.name as within, null as "workflowId", n.state, null as "createdAt"
    from nodes n join pools p on p.id = n.pool_id
    where n.removed_at is null and $2::uuid[] is not distinct from $2 and ${byName('n.name')} ${best('n.name', 'n.id')}`,
  pool: `select 'pool' as kind, p.id, p.name, '' as within, null as "workflowId", null as state, null as "createdAt"
    from pools p where p.removed_at is null and $2::uuid[] is not distinct from $2 and ${byName('p.name')} ${best('p.name', 'p.id')}`,
};

/** Definitions and machines by part of their name. There are few of them beside runs, so that they are looked through. */
export async function findByName(sql: Sql, kind: keyof typeof selects, text: string, projects: VisibleProjects): Promise<SearchHit[]> {
  const rows = await sql.query<object>(selects[kind], [text.toLowerCase(), projects, MOST_OF_KIND]);
  return rows.map((row) => answerRow<SearchHit>(row));
}

const runSelect = `select 'run' as kind, r.id, r.id::text as name, w.name as within, r.workflow_id as "workflowId", r.state, r.created_at as "createdAt"`;

/** Runs by the beginning of their id or by its last eight characters, each a range of an index. */
export async function findRunsById(sql: Sql, text: string, projects: VisibleProjects): Promise<SearchHit[]> {
  const part = text.toLowerCase();
  const bounds = idBoundsOf(part);
  if (bounds === null) return [];
  const rows = await sql.query<object>(
    `${runSelect} from (
       (select * from runs where id between $1 and $2 and ($4::uuid[] is null or project_id = any($4)) order by id desc limit $5)
       union (select * from runs where right(id::text, 8) = $3 and ($4::uuid[] is null or project_id = any($4)) limit $5)
     ) r join workflows w on w.id = r.workflow_id order by r.id desc limit $5`,
    [bounds.lower, bounds.upper, part, projects, MOST_OF_KIND],
  );
  return rows.map((row) => answerRow<SearchHit>(row));
}

/** The newest runs of the workflows that were found. */
export async function findRunsOf(sql: Sql, workflowIds: readonly string[], most: number): Promise<SearchHit[]> {
  const rows = await sql.query<object>(
    `${runSelect} from unnest($1::uuid[]) as f (id)
     cross join lateral (select * from runs where workflow_id = f.id order by id desc limit $2) r join workflows w on w.id = r.workflow_id
     order by r.id desc limit $3`,
    [workflowIds, RUNS_OF_WORKFLOWS, most],
  );
  return rows.map((row) => answerRow<SearchHit>(row));
}

const FULL = 32;
const SHORTEST_PART = 4;

/** The smallest and the largest id that begin with a text of hexadecimal digits and dashes; null when it is none, or too short to say anything. */
export function idBoundsOf(text: string): { lower: string; upper: string } | null {
  if (!/^[0-9a-f-]+$/.test(text)) return null;
  const digits = text.replaceAll('-', '');
  if (digits.length < SHORTEST_PART || digits.length > FULL) return null;
  return { lower: digits.padEnd(FULL, '0'), upper: digits.padEnd(FULL, 'f') };
}
