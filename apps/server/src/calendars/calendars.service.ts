import { type CalendarListQuery, type CalendarView, maxCalendars, type Page, type PutCalendar } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction, uuidv7 } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { answerRow } from '../rest/answer-row.js';
import { listKind } from '../rest/cursor.js';
import { listOrder, pageOfSorted, type SortColumn, type SortedRow } from '../rest/sorted-list.js';
import { unstorableText } from '../rest/storable-text.js';
import { WakeBus } from '../wake/wake-bus.js';
import { moveNextFires } from './move-next-fires.js';

const schedules = '(select count(*)::int from schedules s where s.calendar_id = c.id and s.removed_at is null)';
const columns = `c.project_id as "projectId", c.name, c.description, c.weekend, c.excluded, c.working, c.version, c.updated_at as "updatedAt", ${schedules} as schedules`;
const sortColumns: Record<string, SortColumn> = {
  name: { sql: 'c.name', type: 'text' },
  schedules: { sql: schedules, type: 'int' },
  updated: { sql: 'c.updated_at', type: 'timestamptz' },
};
const MOST_NAMED = 10;

/** Named sets of days on which schedules of a project rest or work. Those of another project answer as missing ones do: the guard looks the project up. */
@Injectable()
export class CalendarsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(projectId: string, query: CalendarListQuery): Promise<Page<CalendarView>> {
    const kind = listKind('calendars', { ...query, projectId });
    const order = listOrder(sortColumns, query.sort, { kind, cursor: query.cursor, id: 'c.id' });
    const rows = await this.sql.query<SortedRow>(
      `select ${columns}, c.id, ${order.select} as "sortText" from calendars c where c.project_id = $1
         and ($2::text is null or position(lower($2) in lower(c.name)) > 0 or position(lower($2) in lower(c.description)) > 0)
         and ${order.after(3, 4)} order by ${order.orderBy} limit $5`,
      [projectId, query.search ?? null, ...order.position, query.limit + 1],
    );
    return pageOfSorted(rows, query.limit, kind, ({ id: _, ...row }) => answerRow<CalendarView>(row));
  }

  /** Throws not-found. */
  async get(projectId: string, name: string): Promise<CalendarView> {
    const [row] = await this.sql.query<object>(`select ${columns} from calendars c where c.project_id = $1 and c.name = $2`, [
      projectId,
      name,
    ]);
    if (!row) throw new AppError('not-found', phrase('no-such-calendar', { name }));
    return answerRow<CalendarView>(row);
  }

  /**
   * Creates a calendar without a version, else changes the one of that version; the next fires of its schedules move with it. Throws name-taken, stale-version, and
   * validation-failed when the project has too many.
   */
  async put(projectId: string, name: string, body: PutCalendar): Promise<CalendarView> {
    const { description, excluded, working } = body;
    const fault = unstorableText({ description, excluded: Object.values(excluded).join(''), working: Object.values(working).join('') });
    if (fault) throw new AppError('validation-failed', `${fault.path}: ${fault.message}`, [fault]);
    const moved = await inTransaction(this.source, (sql) =>
      body.version === null ? create(sql, projectId, name, body) : change(sql, projectId, name, body),
    );
    if (moved.length > 0) {
      this.wakeBus.fire();
      this.wakeBus.upstream();
      this.wakeBus.changed(moved.map((id) => ({ entity: 'schedule' as const, id, projectId })));
    }
    return this.get(projectId, name);
  }

  /** Throws not-found, and calendar-in-use while schedules rest by it, with how many and which. */
  remove(projectId: string, name: string): Promise<void> {
    return inTransaction(this.source, async (sql) => {
      const [row] = await sql.query<{ id: string }>('select id from calendars where project_id = $1 and name = $2 for update', [
        projectId,
        name,
      ]);
      if (!row) throw new AppError('not-found', phrase('no-such-calendar', { name }));
      const users = await sql.query<{ name: string }>(
        `select w.name || '/' || s.name as name from schedules s join workflows w on w.id = s.workflow_id
         where s.calendar_id = $1 and s.removed_at is null order by 1`,
        [row.id],
      );
      if (users.length > 0) {
        const names = users.slice(0, MOST_NAMED).map((user) => user.name);
        throw new AppError('calendar-in-use', phrase('calendar-still-used', { name, count: users.length, names: names.join(', ') }));
      }
      await sql.query('delete from calendars where id = $1', [row.id]);
    });
  }
}

function valuesOf({ description, weekend, excluded, working }: PutCalendar): unknown[] {
  return [description, [...new Set(weekend)].sort(), JSON.stringify(excluded), JSON.stringify(working)];
}

async function create(sql: Sql, projectId: string, name: string, body: PutCalendar): Promise<string[]> {
  const rows = await sql.query(
    `insert into calendars (id, project_id, name, description, weekend, excluded, working) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (project_id, name) do nothing returning id`,
    [uuidv7(), projectId, name, ...valuesOf(body)],
  );
  if (rows.length === 0) throw new AppError('name-taken', phrase('calendar-name-taken', { name }));
  const [total] = await sql.query<{ count: number }>('select count(*)::int as count from calendars where project_id = $1', [projectId]);
  if (total!.count > maxCalendars) throw new AppError('validation-failed', phrase('too-many-calendars', { limit: maxCalendars }));
  return [];
}

/** Locks the calendar before its schedules, as whoever computes a next fire does. */
async function change(sql: Sql, projectId: string, name: string, body: PutCalendar): Promise<string[]> {
  const [stored] = await sql.query<{ id: string; version: number }>(
    'select id, version from calendars where project_id = $1 and name = $2 for no key update',
    [projectId, name],
  );
  if (!stored) throw new AppError('not-found', phrase('no-such-calendar', { name }));
  if (stored.version !== body.version) throw new AppError('stale-version', phrase('calendar-stale', { name }));
  await sql.query(
    `update calendars set description = $2, weekend = $3, excluded = $4, working = $5, version = version + 1, updated_at = clock_timestamp()
     where id = $1`,
    [stored.id, ...valuesOf(body)],
  );
  return moveNextFires(sql, stored.id);
}
