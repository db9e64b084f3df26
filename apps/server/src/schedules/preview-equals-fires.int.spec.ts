import type { CreatedApiToken, NextFires, Page, ScheduleView } from '@medley/contracts';
import { aWorkflow, createTestDatabase, query, type RestClient, type TestDatabase, withToken } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { FirePass } from '../passes/fire.pass.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';

/** Every schedule is followed for so many fires. */
const FIRES = 3;

/** What local time decides. */
const daily = {
  'a fixed time that a gap may swallow': '30 2 * * *',
  'three fixed hours': '15 1,2,3 * * *',
  'the hours around a working day': '0 7,9 * * *',
  midnight: '0 0 * * *',
  'the last second of a day': '59 59 23 * * *',
  'each quarter': '*/15 * * * *',
  'every other hour': '0 */2 * * *',
  'seconds of one minute': '*/20 30 2 * * *',
  'weekdays by name': '5 4 * JAN-DEC MON-FRI',
};

/** What the calendar decides, at hours that no zone changes: only where the calendar does something. */
const yearly = {
  'the last day of the month': '0 12 L * *',
  'the weekday nearest the 15th': '0 9 15W * ?',
  'the second Monday': '30 8 * * MON#2',
  'new year': '0 0 1 1 *',
  'the leap day': '0 2 29 2 *',
};

interface Edge {
  title: string;
  /** Shortly before something happens to local time. */
  start: string;
  zones: string[];
  /** By what is beside every day. */
  more?: typeof yearly;
  /** What `30 2 * * *` is known to do in the first zone: neither side may be wrong together with the other. */
  known?: string[];
}

const edges: Edge[] = [
  {
    title: 'an hour is left out and, beside it, none is',
    start: '2026-03-28T18:00:00Z',
    zones: ['Europe/Berlin', 'Asia/Shanghai'],
    known: ['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z'],
  },
  {
    title: 'an hour is left out in the west',
    start: '2026-03-07T18:00:00Z',
    zones: ['America/New_York'],
    known: ['2026-03-08T07:00:00.000Z', '2026-03-09T06:30:00.000Z'],
  },
  { title: 'half an hour comes twice', start: '2026-04-04T06:00:00Z', zones: ['Australia/Lord_Howe'] },
  { title: 'half an hour is left out', start: '2026-10-03T06:00:00Z', zones: ['Australia/Lord_Howe'] },
  { title: 'midnight is left out', start: '2026-09-05T18:00:00Z', zones: ['America/Santiago'] },
  {
    title: 'an hour comes twice',
    start: '2026-10-24T18:00:00Z',
    zones: ['Europe/Berlin'],
    known: ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
  },
  { title: 'an hour comes twice in the west', start: '2026-10-31T18:00:00Z', zones: ['America/New_York'] },
  {
    title: 'a year ends, with offsets of quarters of an hour',
    start: '2026-12-31T10:00:00Z',
    zones: ['Asia/Kathmandu', 'Pacific/Apia'],
    more: yearly,
  },
  { title: 'a leap day comes', start: '2028-02-28T12:00:00Z', zones: ['Asia/Shanghai'], more: yearly },
];

/** In this database `clock_timestamp()` tells what the table says: time moves when the test moves it. */
async function takeOverClock({ url, name }: TestDatabase): Promise<void> {
  await query(url, 'create schema moved');
  await query(url, 'create table moved.clock (now timestamptz not null)');
  await query(url, 'insert into moved.clock values (pg_catalog.clock_timestamp())');
  await query(url, `create function moved.clock_timestamp() returns timestamptz language sql volatile as 'select now from moved.clock'`);
  await query(url, `alter database ${name} set search_path = moved, public, pg_catalog`);
}

/** A rule by the keys of the file, as a preview is asked for. */
function keysOf(rule: NonNullable<ScheduleView['rule']>): object {
  if (rule.kind === 'upstream') return { upstream: rule.upstreams };
  if (rule.kind !== 'cron') return rule.kind === 'one-shot' ? { at: rule.at } : { fixedRate: `${rule.seconds}s` };
  const { cron, dialect, gap, overlapHour } = rule;
  return { cron, dialect, ...(gap === null ? {} : { gap }), ...(overlapHour === null ? {} : { overlapHour }) };
}

describe('the preview of a schedule', () => {
  let database: TestDatabase;
  let server: TestServer;
  let client: RestClient;
  let fire: FirePass;
  beforeAll(async () => {
    database = await createTestDatabase(inject('postgresUrl'));
    await takeOverClock(database);
    server = await startTestServer({ MEDLEY_DATABASE_URL: database.url });
    // A session would end while time flies.
    const request = { name: 'for ever', scopes: ['admin'], expiresInDays: null };
    client = withToken(server.url, (await server.admin.post<CreatedApiToken>('/tokens', request)).token);
    fire = server.app.get(FirePass, { strict: false });
  });
  afterAll(async () => {
    await server?.close();
    await database?.drop();
  });

  const sql = <Row>(text: string, values: unknown[] = []) => server.source.query(text, values) as Promise<Row[]>;
  const moveClock = (to: Date | string) => sql('update moved.clock set now = $1', [to]);

  async function applySchedules(workflow: string, zones: readonly string[], crons: readonly string[]): Promise<ScheduleView[]> {
    const rules = zones.flatMap((zone) => crons.map((cron) => ({ cron, zone })));
    const schedules = Object.fromEntries(rules.map((rule, index) => [`s${index}`, rule]));
    const { workflowId } = await client.apply(JSON.stringify(aWorkflow({ a: { kind: 'noop' } }, { workflow, schedules })));
    return (await client.get<Page<ScheduleView>>(`/schedules?workflowId=${workflowId}&limit=200`)).items;
  }

  async function preview({ rule, zone, id }: ScheduleView): Promise<string[]> {
    const ofRule = await client.post<NextFires>('/schedules/preview', { ...keysOf(rule!), zone, count: FIRES });
    const ofSchedule = await client.get<NextFires>(`/schedules/${id}/next-fires?count=${FIRES}`);
    expect(ofSchedule).toEqual(ofRule);
    return ofRule.items.map(({ at }) => at);
  }

  /** Moves the clock from due fire to due fire, until each schedule has had its number. */
  async function fireAll(): Promise<void> {
    for (;;) {
      const [next] = await sql<{ moved: boolean }>(
        `with done as (
           update schedules s set enabled = false, next_fire_at = null
           where enabled and (select count(*) from runs where schedule_id = s.id) >= $1 returning id
         ), clock as (
           update moved.clock set now = next.at from (select min(next_fire_at) as at from schedules where enabled and id not in (select id from done)) next
           where next.at is not null returning 1
         ) select exists (select 1 from clock) as moved`,
        [FIRES],
      );
      if (!next!.moved) return;
      await fire.run();
      // As if each had begun and ended at once: no node is there to begin it, and the next fire would wait for that.
      await sql(`update runs set state = 'succeeded', finished_at = clock_timestamp() where finished_at is null`);
    }
  }

  async function readFires(schedules: readonly ScheduleView[]): Promise<Map<string, string[]>> {
    const rows = await sql<{ id: string; fires: Date[] }>(
      `select schedule_id as id, array_agg(fire_at order by fire_at) as fires from runs where schedule_id = any($1) group by schedule_id`,
      [schedules.map(({ id }) => id)],
    );
    return new Map(rows.map(({ id, fires }) => [id, fires.map((at) => at.toISOString())]));
  }

  /** By zone and expression, so that what differs is told by name. */
  async function previewsAndFires(workflow: string, start: string, zones: readonly string[], crons: readonly string[]) {
    await moveClock(start);
    const schedules = await applySchedules(workflow, zones, crons);
    const previews = await Promise.all(schedules.map(async (each) => [`${each.zone} ${each.cron}`, await preview(each)] as const));
    await fireAll();
    const fires = await readFires(schedules);
    return {
      previewed: Object.fromEntries(previews),
      fired: Object.fromEntries(schedules.map(({ id, zone, cron }) => [`${zone} ${cron}`, fires.get(id)])),
    };
  }

  it.each(edges.map((edge, index) => ({ ...edge, workflow: `edge-${index}` })))(
    'is what then fires where $title',
    async ({ start, zones, more = {}, known = [], workflow }) => {
      const crons = Object.values({ ...daily, ...more });
      const { previewed, fired } = await previewsAndFires(workflow, start, zones, crons);
      expect(Object.keys(previewed)).toHaveLength(zones.length * crons.length);
      for (const fires of Object.values(previewed)) expect(fires).toHaveLength(FIRES);
      expect(fired).toEqual(previewed);
      expect(fired[`${zones[0]} 30 2 * * *`]!.slice(0, known.length)).toEqual(known);
    },
  );
});
