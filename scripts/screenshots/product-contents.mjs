import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { StepFailed } from '../repository/run.mjs';
import { createToken, restClient } from '../start/rest.mjs';
import { writePast } from './past.mjs';
import { fillFeatures } from './product-features.mjs';

const PATIENCE_MS = 240_000;

/** What a company that has used Medley for a while would have beside the examples. */
const documents = {
  broken: {
    workflow: 'invoice-import',
    description: 'Reads the invoices of the day from the partner',
    schedules: { hourly: { cron: '15 * * * *', zone: 'Europe/Berlin' } },
    tasks: {
      fetch: { run: 'echo "142 invoices found"' },
      check: {
        needs: ['fetch'],
        run: `printf '\\033[33mwarning\\033[0m invoice 77 has no tax number\\n\\033[31mError: 3 of 142 invoices are invalid\\033[0m\\n'; exit 3`,
      },
      book: { needs: ['check'], run: 'echo booked' },
    },
  },
  long: {
    workflow: 'warehouse-sync',
    description: 'Keeps the copy of the warehouse up to date',
    tasks: {
      plan: { run: 'echo planned' },
      copy: {
        needs: ['plan'],
        resources: { cpu: 0.05 },
        run: 'n=0; while [ $n -lt 3000 ]; do n=$((n+1)); printf "table %d of 3000 copied\\n" $n; sleep 1; done',
      },
      verify: { needs: ['copy'], run: 'echo verified' },
    },
  },
  waiting: {
    workflow: 'model-scoring',
    description: 'Scores all customers',
    tasks: {
      prepare: { run: 'echo prepared' },
      score: { needs: ['prepare'], resources: { cpu: 1, memory: '128MiB' }, run: 'sleep 900', labels: 'strength = strong' },
    },
  },
  hog: {
    workflow: 'video-transcode',
    description: 'Takes a whole node',
    tasks: { encode: { resources: { cpu: 1 }, labels: 'strength = strong', run: 'sleep 900' } },
  },
  large: {
    workflow: 'nightly-warehouse',
    description: 'Six hundred tables, layer by layer',
    schedules: { nightly: { cron: '30 2 * * *', zone: 'Asia/Shanghai' } },
    tasks: layers(600),
  },
};

function layers(count) {
  const width = 25;
  const name = (index) => `table-${Math.floor(index / width) + 1}-${(index % width) + 1}`;
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const above = index - width;
      const needs = above < 0 ? [] : [...new Set([name(above), name(above - (above % width) + ((index * 7) % width))])];
      return [name(index), needs.length === 0 ? { kind: 'noop' } : { kind: 'noop', needs }];
    }),
  );
}

const people = [
  ['mei', 'Li Mei'],
  ['jonas', 'Jonas Weber'],
  ['amira', 'Amira Haddad'],
];

/** Applies and runs all that, waits for what should have happened, writes a past of ten days, and tells the ids that scenes go to. */
export async function fillProduct({ url, name, password, databaseUrl }) {
  const client = restClient(url, await createToken(url, name, password));
  const ids = {};
  for (const project of ['finance', 'research']) await client.post('/projects', { name: project });
  for (const [key, document] of Object.entries(documents)) {
    const project = key === 'broken' ? 'finance' : key === 'waiting' ? 'research' : 'default';
    const { workflowId } = await client.post('/workflows/apply', { medley: 1, project, ...document });
    ids[`${key}WorkflowId`] = workflowId;
    ids[`${key}RunId`] = (await client.post(`/workflows/${workflowId}/runs`, {})).id;
    // The one that waits must find the node taken.
    if (key === 'hog') await delay(1500);
  }
  ids.waitingRunId = (await client.post(`/workflows/${ids.waitingWorkflowId}/runs`, {})).id;
  ids.brokenScheduleId = (await client.get(`/schedules?workflowId=${ids.brokenWorkflowId}`)).items[0].id;
  ids.poolId = (await client.get('/pools')).items[0].id;
  ids.strongNodeId = (await client.get('/nodes?limit=100')).items.find((node) => node.name === 'strong').id;
  for (const [user, displayName] of people) await client.post('/users', { name: user, displayName, email: `${user}@example.com` });
  const { name: newcomer, password: first } = await client.post('/users', { name: 'newcomer', displayName: 'Noa Newcomer' });
  ids.newcomer = { name: newcomer, password: first };
  ids.userId = (await client.get('/users?search=mei')).items[0].id;
  await client.post('/groups', { name: 'data-engineers', description: 'Keep the pipelines running' });
  await client.post('/tokens', { name: 'nightly export', scopes: ['read'], expiresInDays: 90 });
  await client.post('/join-tokens', { labels: { zone: 'dc2' }, maxUses: 20, expiresInHours: 48 });
  await until('the examples and the failing run to end', async () => {
    const { items } = await client.get('/runs?limit=100');
    const etl = items.find((run) => run.workflow === 'orders-etl' && run.state === 'succeeded');
    const ended = (id) => ['succeeded', 'failed'].includes(items.find((run) => run.id === id)?.state);
    Object.assign(ids, etl && { etlRunId: etl.id, etlWorkflowId: etl.workflowId });
    return etl !== undefined && ended(ids.brokenRunId) && ended(ids.largeRunId);
  });
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await writePast(database);
  await database.end();
  await fillFeatures(client, url, ids);
  return ids;
}

async function until(what, isSo) {
  const patience = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > patience) throw new StepFailed(`waited in vain for ${what}`);
    await delay(500);
  }
}
