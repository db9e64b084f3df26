import type { Page, RunCount, RunFilter, RunListItem, RunQuery, RunSort } from '@medley/contracts';
import { AppError, phrase, runStates, terminalRunStates } from '@medley/core';
import type { Sql } from '@medley/database';
import type { VisibleProjects } from '../access/caller.js';
import { answerRow } from '../rest/answer-row.js';
import { decodeCursor, decodeIdCursor, listKind, pageOfRows } from '../rest/cursor.js';
import { allConditions, conditionsOf, whereOf } from './run-filter.js';
import { runColumns, runJoins } from './run-rows.js';

const duration = 'r.finished_at - r.started_at';
const micros = `(extract(epoch from ${duration}) * 1000000)::bigint`;

interface Order {
  /** What stands behind `order by`, for runs `r`. */
  by: string;
  /** The same of what is selected: the order that a part already has is seen by the database only under the name of a column, and then parts are merged, not sorted. */
  ofSelected: string;
  /** Whether the order is by id alone. */
  isById: boolean;
  isDescending: boolean;
}

const orders: Record<RunSort, Order> = {
  newest: { by: 'r.id desc', ofSelected: 'r.id desc', isById: true, isDescending: true },
  oldest: { by: 'r.id', ofSelected: 'r.id', isById: true, isDescending: false },
  longest: { by: `${duration} desc, r.id desc`, ofSelected: 'r.length desc, r.id desc', isById: false, isDescending: true },
  shortest: { by: `${duration}, r.id`, ofSelected: 'r.length, r.id', isById: false, isDescending: false },
};

/**
 * A page of runs. Ids grow with time, so that the order by id is that of creation and `since` is a bound of ids. Each project and each state gives its first ones from
 * its own index and the first of these are taken: what a caller may not see, or does not look for, costs nothing.
 */
export async function listRuns(sql: Sql, query: RunQuery, projects: VisibleProjects): Promise<Page<RunListItem>> {
  const { page, ...filter } = query;
  const kind = listKind('runs', filter);
  const order = orders[query.sort];
  const { conditions, values } = conditionsOf(query);
  const after = positionAfter(kind, order, query.cursor, values);
  const skip = query.cursor === undefined ? (page - 1) * query.limit : 0;
  const found = firstRuns([...conditions, ...after], values, order, {
    states: statesOf(query, order),
    projects,
    limit: query.limit + 1,
    skip,
  });
  const rows = await sql.query<{ id: string; micros?: string }>(
    `select ${runColumns}${order.isById ? '' : `, ${micros} as micros`} from (${found}) f join runs r on r.id = f.id ${runJoins} order by ${order.by}`,
    values,
  );
  return pageOfRows(
    rows,
    query.limit,
    kind,
    (row) => (order.isById ? [row.id] : [row.micros!, row.id]),
    ({ micros: _micros, ...row }) => answerRow<RunListItem>(row),
  );
}

/** The states to look in; none for all of them. Durations are kept by the state in which runs ended. */
function statesOf({ state }: RunQuery, { isById }: Order): readonly string[] {
  if (isById) return state ?? [];
  const ended = runStates.filter((each) => terminalRunStates.has(each));
  return state?.length ? state : ended;
}

/** The condition to stand behind the position of a cursor; its values are added to `values`. */
function positionAfter(kind: string, { isById, isDescending }: Order, cursor: string | undefined, values: unknown[]): string[] {
  const sign = isDescending ? '<' : '>';
  if (isById) {
    const id = decodeIdCursor(kind, cursor);
    return id === null ? [] : [`r.id ${sign} $${values.push(id)}`];
  }
  const position = decodeCursor(kind, cursor, 2);
  if (position === null) return [];
  const [length, id] = position as [string, string];
  if (!/^-?\d{1,18}$/.test(length) || !/^[0-9a-f-]{36}$/.test(id)) throw new AppError('cursor-invalid', phrase('cursor-leave-out'));
  return [`(${duration}, r.id) ${sign} ($${values.push(length)}::bigint * interval '1 microsecond', $${values.push(id)}::uuid)`];
}

interface Part {
  states: readonly string[];
  projects: VisibleProjects;
  limit: number;
  skip: number;
}

/** The statement for the ids of the first runs; adds its values to `values`. */
function firstRuns(conditions: readonly string[], values: unknown[], order: Order, { states, projects, limit, skip }: Part): string {
  const key = order.isById ? 'r.id' : `r.id, ${duration} as length`;
  const ended = order.isById ? [] : ['r.finished_at is not null', 'r.started_at is not null'];
  const most = `$${values.push(limit + skip)}`;
  const branch = (more: readonly string[]) =>
    `select ${key} from runs r ${whereOf([...conditions, ...ended, ...more])} order by ${order.by} limit ${most}`;
  const ofStates = (more: readonly string[]) =>
    states.length === 0 ? branch(more) : states.map((state) => `(${branch([`r.state = '${state}'`, ...more])})`).join(' union all ');
  const all =
    projects === null
      ? ofStates([])
      : `select r.* from unnest($${values.push(projects)}::uuid[]) as visible(id) cross join lateral (${ofStates(['r.project_id = visible.id'])}) r`;
  return `select r.id from (${all}) r order by ${order.ofSelected} limit $${values.push(limit)} offset $${values.push(skip)}`;
}

const MOST_COUNTED = 10_000;

/** Counts as far as people read a count. */
export async function countRuns(sql: Sql, filter: RunFilter, projects: VisibleProjects, most = MOST_COUNTED): Promise<RunCount> {
  const { conditions, values } = allConditions(filter, projects);
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int as count from (select 1 from runs r ${whereOf(conditions)} limit $${values.push(most + 1)}) f`,
    values,
  );
  return { count: Math.min(row!.count, most), isMore: row!.count > most };
}
