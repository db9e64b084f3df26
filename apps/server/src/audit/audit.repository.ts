import type { AuditEvent, AuditEventDetail, AuditFilter, AuditQuery, Page } from '@medley/contracts';
import { type Sql, uuidv7LowerBound } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { decodeIdCursor, listKind, pageOfRows } from '../rest/cursor.js';

const columns = `e.id, e.at, e.action, json_build_object('kind', e.actor_kind, 'userId', e.user_id, 'name', e.actor_name, 'via', e.via,
  'credentialId', e.credential_id, 'credential', e.credential_name) as actor,
e.project_id as "projectId", p.name as project, e.entity_type as "entityType", e.entity_id as "entityId", e.entity_name as "entityName", e.outcome, e.code,
e.request_id as "requestId", e.address, e.finished_at as "finishedAt", e.unrecorded,
array(select key from (select jsonb_object_keys(coalesce(e.before, '{}')) union select jsonb_object_keys(coalesce(e.after, '{}'))) k(key) order by key) as fields`;
const tables = 'from audit_events e left join projects p on p.id = e.project_id';

/** Events of a filter; null as visible projects means all, and what belongs to no project as well. */
export interface AuditSelection extends AuditFilter {
  visible: VisibleProjects;
}

/** Each condition with its value, so that what is not asked for is not in the statement and its index is used. */
const conditions: {
  [Key in keyof AuditSelection]-?: (value: NonNullable<AuditSelection[Key]>) => readonly [text: string, value: unknown];
} = {
  visible: (ids) => ['e.project_id = any($::uuid[])', ids],
  actor: (text) => ['position(lower($) in lower(e.actor_name)) > 0', text],
  userId: (id) => ['e.user_id = $', id],
  projectId: (id) => ['e.project_id = $', id],
  entityType: (type) => ['e.entity_type = $', type],
  entityId: (id) => ['e.entity_id = $', id],
  action: (name) => ['e.action = $', name],
  outcome: (outcome) => ['e.outcome = $', outcome],
  from: (instant) => ['e.id >= $::uuid', uuidv7LowerBound(Date.parse(instant))],
  to: (instant) => ['e.id < $::uuid', uuidv7LowerBound(Date.parse(instant))],
};

interface EventRow {
  id: string;
}

/** The newest first, or the oldest, from behind the id `behind` on. Ids grow with time. */
export async function selectEvents<Row extends EventRow>(
  sql: Sql,
  selection: AuditSelection,
  {
    behind,
    limit,
    withStates,
    isOldestFirst = false,
  }: { behind: string | null; limit: number; withStates: boolean; isOldestFirst?: boolean },
): Promise<Row[]> {
  const values: unknown[] = [];
  const asked = Object.entries(conditions).flatMap(([key, condition]) => {
    const value = selection[key as keyof AuditSelection];
    if (value === undefined || value === null) return [];
    const [text, parameter] = (condition as (value: unknown) => readonly [string, unknown])(value);
    return [text.replace('$', `$${values.push(parameter)}`)];
  });
  const [direction, comparison] = isOldestFirst ? ['asc', '>'] : ['desc', '<'];
  if (behind !== null) asked.push(`e.id ${comparison} $${values.push(behind)}`);
  const where = asked.length === 0 ? '' : `where ${asked.join(' and ')}`;
  const states = withStates ? ', e.before, e.after' : '';
  return sql.query<Row>(`select ${columns}${states} ${tables} ${where} order by e.id ${direction} limit $${values.push(limit)}`, values);
}

export async function listEvents(
  sql: Sql,
  { limit, cursor, sort, ...filter }: AuditQuery,
  visible: VisibleProjects,
): Promise<Page<AuditEvent>> {
  const kind = listKind('audit', { ...filter, sort });
  const rows = await selectEvents(
    sql,
    { ...filter, visible },
    { behind: decodeIdCursor(kind, cursor), limit: limit + 1, withStates: false, isOldestFirst: sort === 'at' },
  );
  return pageOfRows(
    rows,
    limit,
    kind,
    ({ id }) => [id],
    (row) => answerRow<AuditEvent>(row),
  );
}

/** Null where there is none, or one that is not to be seen. */
export async function findEvent(sql: Sql, id: string, visible: VisibleProjects): Promise<AuditEventDetail | null> {
  const [row] = await sql.query<EventRow>(
    `select ${columns}, e.before, e.after ${tables} where e.id = $1 and ($2::uuid[] is null or e.project_id = any($2))`,
    [id, visible],
  );
  return row ? answerRow<AuditEventDetail>(row) : null;
}
