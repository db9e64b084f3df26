import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const DAY_MS = 86_400_000;
const small = { cpu: 0.05 };
const dayBefore = (count) => new Date(Date.now() - count * DAY_MS).toISOString().slice(0, 10);

/** One workflow with whatever a workflow can have, and smaller ones that keep waiting, holding and making up for days while pictures are taken. */
const documents = {
  training: {
    workflow: 'churn-training',
    description: 'Trains the churn model of each region and asks before it is published',
    parameters: {
      day: { type: 'date', default: dayBefore(0), description: 'Whose figures are used' },
      size: { type: 'string', default: 'small', enum: ['small', 'large'] },
    },
    concurrency: { key: 'churn-${{ parameters.day }}', limit: 1, onConflict: 'queue' },
    schedules: {
      nightly: { cron: '30 2 * * *', zone: 'Asia/Shanghai', parameters: { day: '${{ schedule.date }}' } },
      'month-end': { cron: '0 0 6 L * ?', dialect: 'quartz', zone: 'Europe/Berlin', start: '2026-01-01', overlap: 'skip' },
      often: { fixedRate: '6h', zone: 'UTC', jitter: '5m' },
      after: { fixedDelay: '45m', zone: 'UTC', enabled: false },
      once: { at: '2031-10-01T08:00', zone: 'America/New_York' },
    },
    tasks: {
      extract: {
        map: { over: ['north', 'south', 'east', 'west'], as: 'region', parallel: 2 },
        env: { REGION: '${{ map.region }}' },
        resources: small,
        run: 'echo "rows of $REGION read"; sleep 1',
      },
      check: {
        needs: ['extract'],
        resources: small,
        run: 'echo "rows=18422" >> "$MEDLEY_OUTPUT"; echo \'{"model": {"name": "churn", "auc": 0.91}, "regions": ["north", "south"]}\' >> "$MEDLEY_OUTPUT"',
      },
      pick: { kind: 'switch', needs: ['check'], on: 'parameters.size', cases: { small: ['train-small'], large: ['train-large'] } },
      'train-small': { resources: small, run: 'echo trained' },
      'train-large': { resources: small, run: 'echo trained' },
      publish: {
        kind: 'approval',
        needs: { 'train-small': 'done', 'train-large': 'done' },
        by: ['role:operator', 'group:data-engineers'],
        deadline: '2d',
      },
      announce: { needs: ['publish'], when: 'tasks.check.outputs.rows > 1000', resources: small, run: 'echo announced' },
    },
    finally: { tidy: { resources: small, run: 'echo tidy' }, page: { needs: { check: 'failed' }, resources: small, run: 'echo paged' } },
  },
  features: {
    workflow: 'clean-features',
    description: 'Cleans the features of a day, part by part',
    parameters: { day: { type: 'date' } },
    tasks: {
      pages: {
        loop: { until: 'loop.index == 3', max: 20, delay: '1s' },
        env: { FROM: "${{ has(loop.previous.next) ? loop.previous.next : '0' }}" },
        resources: small,
        run: 'echo "page $FROM"; echo "next=$((FROM + 1))" >> "$MEDLEY_OUTPUT"',
      },
      merge: { needs: ['pages'], resources: small, run: 'sleep 1800' },
    },
  },
  weekly: {
    workflow: 'weekly-models',
    description: 'Everything that is trained once a week',
    tasks: {
      clean: { kind: 'workflow', workflow: 'clean-features', parameters: { day: dayBefore(1) } },
      score: { needs: ['clean'], resources: small, run: 'echo scored' },
    },
  },
  render: {
    workflow: 'scene-render',
    description: 'Renders with one of two licences',
    tasks: Object.fromEntries(
      ['intro', 'city', 'forest', 'credits'].map((name) => [name, { limits: ['render-licence'], resources: small, run: 'sleep 1800' }]),
    ),
  },
  report: {
    workflow: 'daily-report',
    description: 'The figures of a day',
    parameters: { day: { type: 'date' }, region: { type: 'string', default: 'north' } },
    schedules: {
      morning: { cron: '0 6 * * *', zone: 'Europe/Berlin', enabled: false, parameters: { day: '${{ schedule.date }}' } },
      hook: { webhook: { payload: { day: '/order/day', region: '/order/region' } }, zone: 'Europe/Berlin' },
    },
    tasks: { report: { env: { DAY: '${{ parameters.day }}' }, resources: small, run: `[ "$DAY" \\< "${dayBefore(5)}" ] || sleep 1800` } },
  },
};

/** Of a name that nobody has, so that whoever waits for it goes on looking. */
const nobody = 'https://feeds.partner.example/prices.csv';
documents.feeds = {
  workflow: 'partner-feeds',
  description: 'Takes in what partners deliver, once it is there',
  schedules: { trading: { cron: '30 17 * * 1-5', zone: 'Europe/Berlin', calendar: 'trading-days' } },
  tasks: {
    prices: { kind: 'wait-for', http: { url: nobody }, every: '15s', deadline: '6h' },
    'market-close': { kind: 'wait-for', until: '2031-10-01T17:30:00+02:00' },
    'load-prices': { needs: ['prices', 'market-close'], env: { TOKEN: '${{ secrets.lake-token }}' }, resources: small, run: './load.sh' },
  },
};

const secrets = [
  ['lake-token', 'Reads the raw tables'],
  ['mail-password', 'Of the account that sends reports'],
  ['partner-api-key', 'Rotated every quarter, last in October'],
];

const variables = [
  ['lake-url', 'https://lake.example.com/v2', 'Where the raw tables are'],
  ['model-bucket', 's3://models-production', 'Trained models, one folder a day'],
  ['alert-threshold', '0.85', 'Below this quality nothing is published'],
  ['regions', 'north,south,east,west', ''],
];

/** Fills the rooms beside runs: variables, limits, an approval, a backfill half way, a webhook that was called. Tells the ids that scenes go to. */
export async function fillFeatures(client, url, ids) {
  const project = (await client.get('/projects?limit=100')).items.find(({ name }) => name === 'default').id;
  for (const [name, value, description] of variables) await client.put(`/projects/${project}/variables/${name}`, { value, description });
  for (const [name, description] of secrets)
    await client.put(`/projects/${project}/secrets/${name}`, { value: 'not-told-here', description });
  const excluded = { '2027-01-01': 'New Year', '2027-05-01': 'Labour Day', '2027-10-03': 'German Unity Day' };
  const calendar = { description: 'Days on which the exchange trades', weekend: [0, 6], excluded, working: {} };
  await client.put(`/projects/${project}/calendars/trading-days`, calendar);
  const holidays = { '2027-10-01': '国庆节', '2027-10-04': '国庆节', '2027-10-05': '国庆节' };
  const workdays = {
    description: 'Holidays with make-up workdays',
    weekend: [0, 6],
    excluded: holidays,
    working: { '2027-09-26': '调休' },
  };
  await client.put(`/projects/${project}/calendars/cn-workdays`, workdays);
  const limit = { name: 'render-licence', description: 'Two seats of the renderer', slots: 2 };
  ids.limitId = (await client.post(`/projects/${project}/limits`, limit)).id;
  await client.post('/limits', { name: 'partner-api', description: 'What the partner allows', rate: { starts: 60, seconds: 60 } });
  await client.put(`/projects/${project}/quota`, { cpuMillis: 16_000, memoryMib: 32_768, gpuCount: null, attempts: 200 });
  for (const [key, document] of Object.entries(documents)) {
    ids[`${key}WorkflowId`] = (await client.post('/workflows/apply', { medley: 1, project: 'default', ...document })).workflowId;
  }
  for (const key of ['training', 'training', 'render', 'feeds', 'weekly']) {
    const { id } = await client.post(`/workflows/${ids[`${key}WorkflowId`]}/runs`, {});
    ids[`${key}RunId`] ??= id;
  }
  for (const { name, id } of (await client.get(`/schedules?workflowId=${ids.trainingWorkflowId}`)).items) ids[`${name}ScheduleId`] = id;
  for (const { name, id } of (await client.get(`/schedules?workflowId=${ids.reportWorkflowId}`)).items) ids[`${name}ScheduleId`] = id;
  await callWebhook(client, url, ids.hookScheduleId);
  await makeUp(client, ids.morningScheduleId);
  await waitForApproval(client);
}

async function makeUp(client, scheduleId) {
  const scope = { from: dayBefore(14), to: dayBefore(1), fires: 'missing' };
  const { count } = await client.post(`/schedules/${scheduleId}/backfills/preview`, scope);
  await client.post(`/schedules/${scheduleId}/backfills`, { ...scope, parallel: 3, expected: count });
}

/** One delivery that is signed, the same again, and one that is not signed. */
async function callWebhook(client, url, scheduleId) {
  const { secret, address } = await client.post(`/schedules/${scheduleId}/webhook/secret`, {});
  const body = JSON.stringify({ order: { day: dayBefore(7), region: 'south' } });
  const timestamp = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = `v1,${createHmac('sha256', key).update(`order-4711.${timestamp}.${body}`).digest('base64')}`;
  const signed = { 'webhook-id': 'order-4711', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
  for (const headers of [signed, signed, {}]) {
    const answer = await fetch(new URL(address, url), {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
    await answer.arrayBuffer();
  }
}

async function waitForApproval(client) {
  const end = performance.now() + 60_000;
  while ((await client.get('/approvals')).items.length === 0 && performance.now() < end) await delay(500);
}
