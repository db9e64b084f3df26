import { uuidv7LowerBound } from '@medley/database';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Replica } from '../testing/replica.fixture.js';
import { Spine } from '../testing/spine.fixture.js';

describe('the months of the audit', () => {
  let spine: Spine;
  let replica: Replica;
  beforeAll(async () => {
    spine = await Spine.open(inject('postgresUrl'));
    replica = await spine.replica();
  });
  afterAll(() => spine.close());

  const months = async () =>
    (
      await spine.sql.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_events'::regclass order by name`,
      )
    ).map(({ name }) => name);
  const monthMs = (offset: number) => {
    const now = new Date();
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset);
  };
  const nameOf = (offset: number) => `audit_events_${new Date(monthMs(offset)).toISOString().slice(0, 7).replace('-', '')}`;
  const add = (atMs: number) =>
    spine.sql.query(
      `insert into audit_events (id, action, actor_kind, entity_type, request_id) values ($1, 'startRun', 'user', 'run', 'r') returning tableoid::regclass::text as table`,
      [uuidv7LowerBound(atMs)],
    );

  it('are made for this one and the next, and events land in them', async () => {
    await replica.passes.prune.run();
    await replica.passes.prune.run();
    expect(await months()).toEqual([nameOf(0), nameOf(1), 'audit_events_rest'].toSorted());
    expect(await add(Date.now())).toEqual([{ table: nameOf(0) }]);
  });

  it('are dropped once they are older than events are kept, and not before', async () => {
    for (const offset of [-30, -3]) {
      await spine.sql.query(
        `create table ${nameOf(offset)} partition of audit_events for values from ('${uuidv7LowerBound(monthMs(offset))}') to ('${uuidv7LowerBound(monthMs(offset + 1))}')`,
      );
      await add(monthMs(offset) + 5);
    }
    await add(monthMs(-40));
    await add(monthMs(-6));
    await replica.passes.prune.run();
    expect(await months()).toEqual([nameOf(-3), nameOf(0), nameOf(1), 'audit_events_rest'].toSorted());
    expect(await spine.sql.query('select id from audit_events order by id limit 1')).toEqual([{ id: uuidv7LowerBound(monthMs(-6)) }]);
  });
});
