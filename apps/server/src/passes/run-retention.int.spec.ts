import type { ApplyAnswer, Retention, RunView } from '@medley/contracts';
import { uuidv7 } from '@medley/database';
import { aWorkflow } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logBlobKey } from '../attempts/attempt-log-archive.js';
import { BLOB_STORE, type BlobStore } from '../blobs/blob-store.js';
import { problemFrom } from '../testing/problem.js';
import { TestAgent } from '../testing/test-agent.js';
import { startTestServer, type TestServer } from '../testing/test-server.js';
import { ArchivePass } from './archive.pass.js';
import { PrunePass } from './prune.pass.js';

/** What belongs to a run that is not there any more. */
const orphans = `
select 'task_runs' as of from task_runs t where not exists (select 1 from runs where id = t.run_id)
union all select 'attempts' from attempts a where not exists (select 1 from task_runs where id = a.task_run_id)
union all select 'reservations' from reservations x where not exists (select 1 from attempts where id = x.attempt_id)
union all select 'decisions' from placement_decisions x where not exists (select 1 from attempts where id = x.attempt_id)
union all select 'chunks' from log_chunks x where not exists (select 1 from attempts where id = x.attempt_id)
union all select 'archives' from log_archives x where not exists (select 1 from attempts where id = x.attempt_id)`;

describe('old runs', () => {
  let server: TestServer;
  let agent: TestAgent;
  let workflowId: string;
  beforeAll(async () => {
    server = await startTestServer({ MEDLEY_RUN_RETENTION_DAYS: '30' });
    agent = await TestAgent.join(server.url, server.credentials.joinToken, 'alpha', 4000);
    const tasks = { first: { run: 'true', resources: { cpu: 1 } }, second: { run: 'true', needs: ['first'], resources: { cpu: 1 } } };
    workflowId = (await server.admin.post<ApplyAnswer>('/workflows/apply', aWorkflow(tasks))).workflowId!;
  });
  afterAll(() => server?.close());

  const sql = (text: string, values: unknown[] = []) => server.source.query(text, values);
  const idsLeft = async () => (await sql('select id from runs order by id')).map(({ id }: { id: string }) => id);
  const age = (ids: string[]) => sql(`update runs set finished_at = finished_at - interval '31 days' where id = any($1)`, [ids]);
  const dueRuns = async () => (await server.admin.get<Retention>('/retention')).items.find(({ kind }) => kind === 'runs');

  async function finishTasks(endings: ('succeeded' | 'failed')[]): Promise<void> {
    for (const ending of endings) {
      const [dispatch] = await agent.receive();
      await agent.claim(dispatch!);
      await agent.finish(dispatch!, ending);
    }
  }

  async function ended(path: string, endings: ('succeeded' | 'failed')[]): Promise<string> {
    const { id } = await server.admin.post<RunView>(path);
    await finishTasks(endings);
    return id;
  }

  async function prune(): Promise<void> {
    const pass = server.app.get(PrunePass, { strict: false });
    while ((await pass.run()).again);
  }

  /** The log of one attempt in Postgres and that of another in the blob store; the key of the blob. */
  async function addLogs(runId: string): Promise<string> {
    const [first, second] = await sql('select id from attempts where run_id = $1 order by id', [runId]);
    await sql(`insert into log_chunks (attempt_id, stream, byte_offset, data) values ($1, 1, 0, 'x')`, [first.id]);
    const blobId = uuidv7();
    const key = logBlobKey(second.id, blobId);
    await store().put(
      key,
      (async function* () {
        yield Buffer.from('x');
      })(),
    );
    await sql(`insert into log_archives (attempt_id, blob_id, blob_index, archived_at) values ($1, $2, '{}', clock_timestamp())`, [
      second.id,
      blobId,
    ]);
    return key;
  }
  const store = () => server.app.get<BlobStore>(BLOB_STORE, { strict: false });

  it('go with all that is theirs, once nothing that is kept repeats them, and what is kept can be run again', async () => {
    const start = `/workflows/${workflowId}/runs`;
    const repeated = await ended(start, ['succeeded', 'failed']);
    const rerun = await ended(`/runs/${repeated}/rerun`, ['succeeded']);
    const alone = await ended(start, ['succeeded', 'succeeded']);
    const young = await ended(start, ['succeeded', 'succeeded']);
    const key = await addLogs(alone);
    await age([repeated, alone]);

    expect(await dueRuns()).toMatchObject({ keepSeconds: 30 * 86_400, count: 1, isMore: false, oldestAt: expect.any(String) });
    const { items } = await server.admin.get<Retention>('/retention?runDays=32');
    expect(items.find(({ kind }) => kind === 'runs')).toMatchObject({ keepSeconds: 32 * 86_400, count: 0, oldestAt: null });
    expect(await idsLeft()).toEqual([repeated, rerun, alone, young]);
    await prune();
    expect(await idsLeft()).toEqual([repeated, rerun, young]);
    expect(await problemFrom(server.admin.get(`/runs/${alone}`))).toMatchObject({ code: 'not-found' });
    await server.app.get(ArchivePass, { strict: false }).run();
    expect(await store().get(key)).toBeNull();
    expect(await sql(orphans)).toEqual([]);

    expect(await problemFrom(server.admin.post(`/runs/${rerun}/rerun`))).toMatchObject({ code: 'run-has-no-work' });
    const whole = (await server.admin.post<RunView>(`/runs/${rerun}/rerun`, { mode: 'all' })).id;
    await finishTasks(['succeeded', 'succeeded']);
    await age([rerun]);
    expect(await dueRuns()).toMatchObject({ count: 0 });
    await age([whole]);
    expect(await dueRuns()).toMatchObject({ count: 3 });
    await prune();
    await prune();
    expect(await idsLeft()).toEqual([young]);
    expect(await sql(orphans)).toEqual([]);
    expect(await sql(`select 1 from audit_events where entity_id = $1 and action = 'startRun'`, [alone])).toHaveLength(1);
  });

  it('and everything else that is due are told before by kind, and nothing is changed by asking', async () => {
    const [{ id: userId }] = await sql('select id from users limit 1');
    await sql(
      `insert into idempotency_keys (user_id, key, request_hash, created_at) values ($1, 'old', '', clock_timestamp() - interval '3 days')`,
      [userId],
    );
    await sql(`insert into sessions (id, user_id, token_hash, expires_at) values ($1, $2, 'x', clock_timestamp() - interval '1 day')`, [
      uuidv7(),
      userId,
    ]);
    await sql(
      `insert into run_bulks (id, user_id, action, run_ids, finished_at) values ($1, $2, 'cancel', '{}', clock_timestamp() - interval '15 days')`,
      [uuidv7(), userId],
    );
    await sql(`insert into node_samples (at, node_id, reserved_percent) values (clock_timestamp() - interval '32 days', $1, 0)`, [
      uuidv7(),
    ]);
    await sql(
      `insert into placement_decisions (attempt_id, turn_id, ordinal, decision) values ('01890000-0000-7000-8000-000000000000', $1, 0, '{}')`,
      [uuidv7()],
    );
    await sql(
      `create table audit_events_202001 partition of audit_events for values from ('016f5e66-e800-7000-8000-000000000000') to ('016ffe0c-1000-7000-8000-000000000000')`,
    );
    const [attempt] = await sql('select id from attempts limit 1');
    const old = '01890000-0000-7000-8000-000000000001';
    await sql(`update attempts set id = $2, finished_at = finished_at - interval '2 days' where id = $1`, [attempt.id, old]);
    await sql(`insert into log_chunks (attempt_id, stream, byte_offset, data) values ($1, 1, 0, 'x')`, [old]);
    const counts = async () =>
      Object.fromEntries((await server.admin.get<Retention>('/retention')).items.map(({ kind, count }) => [kind, count]));
    const due = {
      'logs-to-archive': 1,
      'logs-to-remove': 0,
      'placement-decisions': 1,
      'node-samples': 1,
      'run-bulks': 1,
      'webhook-deliveries': 0,
      'idempotency-keys': 1,
      sessions: 1,
      runs: 0,
      backfills: 0,
      'audit-months': 1,
    };
    expect(await counts()).toEqual(due);
    expect(await counts()).toEqual(due);
    await sql(`update attempts set finished_at = finished_at - interval '100 days' where id = $1`, [old]);
    expect(await counts()).toEqual({ ...due, 'logs-to-archive': 0, 'logs-to-remove': 1 });
    await prune();
    const left = Object.entries(await counts()).filter(([, count]) => count > 0);
    expect(left).toEqual([
      ['logs-to-remove', 1],
      ['node-samples', 1],
    ]);
  });
});
