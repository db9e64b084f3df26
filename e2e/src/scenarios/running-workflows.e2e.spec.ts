import { createServer, type Server } from 'node:http';
import type { RunView } from '@medley/contracts';
import { Journal, Stack, StartedRun, untilNodes } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let stack: Stack;
let warehouse: Server;
let warehouseUrl: string;
const received: { method: string; url: string; body: string; token: string }[] = [];
const journal = new Journal();

beforeAll(async () => {
  warehouse = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => {
      body += bytes;
    });
    request.on('end', () => {
      received.push({ method: request.method!, url: request.url!, body, token: String(request.headers['x-token']) });
      response.writeHead(request.url === '/refuse' ? 503 : 201).end('{"stored": true}');
    });
  });
  await new Promise<void>((resolve) => warehouse.listen(0, '127.0.0.1', resolve));
  warehouseUrl = `http://127.0.0.1:${(warehouse.address() as { port: number }).port}`;
  stack = await Stack.start();
  await Promise.all(['north', 'south'].map((name) => stack.addAgent({ name, declaredSpeed: 1 })));
  await untilNodes(stack.databaseUrl, ['north', 'south']);
});

afterAll(async () => {
  await stack?.stop();
  warehouse.close();
  journal.remove();
});

const light = { resources: { cpu: 0.1 } };

describe('a task group of shell, Python, Node and HTTP', () => {
  it('fans out, fans in, and hands its result to a service', async () => {
    const env = { FOLDER: `\${{ parameters.folder }}`, DAY: `\${{ parameters.day }}` };
    const regions = ['north', 'east', 'south'];
    const clean = (region: string) => ({
      needs: ['extract'],
      ...light,
      env: { ...env, REGION: region },
      python: `
import json, os, time
time.sleep(2 if os.environ["REGION"] == "south" else 0) # the last of the three by far: whoever does not wait for it finds no file
rows = [int(line) for line in open(f"{os.environ['FOLDER']}/{os.environ['REGION']}.raw")]
json.dump({"region": os.environ["REGION"], "sum": sum(rows)}, open(f"{os.environ['FOLDER']}/{os.environ['REGION']}.json", "w"))
print("清洗", os.environ["REGION"], len(rows))
`,
    });
    const run = await StartedRun.of(
      stack,
      'etl',
      {
        extract: {
          ...light,
          env,
          run: `for region in ${regions.join(' ')}; do seq 1 100 > "$FOLDER/$region.raw"; done; echo "extracted $DAY"`,
        },
        ...Object.fromEntries(regions.map((region) => [`clean-${region}`, clean(region)])),
        join: {
          needs: regions.map((region) => `clean-${region}`),
          ...light,
          env,
          node: `
import { readFileSync, writeFileSync } from 'node:fs';
const { FOLDER } = process.env;
const parts = ${JSON.stringify(regions)}.map((region) => JSON.parse(readFileSync(FOLDER + '/' + region + '.json', 'utf8')));
const total = parts.reduce((sum, part) => sum + part.sum, 0);
writeFileSync(FOLDER + '/total', String(total));
console.log('total', total);
`,
        },
        publish: {
          kind: 'http',
          needs: ['join'],
          method: 'POST',
          url: `${warehouseUrl}/days/\${{ parameters.day }}`,
          headers: { 'x-token': 'open sesame' },
          body: `{"run": "\${{ run.id }}"}`,
          expectStatus: 201,
        },
        tidy: { needs: { publish: 'done' }, ...light, env, run: 'cat "$FOLDER/total"' },
      },
      {
        parameters: { folder: { type: 'string' }, day: { type: 'date', default: '2026-02-28' } },
        start: { folder: journal.path },
      },
    );
    await run.ends('succeeded');
    expect(await run.log('extract')).toBe('extracted 2026-02-28\n');
    expect(await run.log('clean-east')).toBe('清洗 east 100\n');
    expect(await run.log('join')).toBe('total 15150\n');
    expect(await run.log('tidy')).toBe('15150');
    expect(received.filter(({ url }) => url.startsWith('/days'))).toEqual([
      { method: 'POST', url: '/days/2026-02-28', body: `{"run": "${run.id}"}`, token: 'open sesame' },
    ]);
    const { counts } = await run.view();
    expect(counts).toEqual({ succeeded: 7 });
  });

  it('fails where a service answers otherwise than expected, and only what needed success is skipped', async () => {
    const run = await StartedRun.of(stack, 'refused', {
      ask: { kind: 'http', url: `${warehouseUrl}/refuse`, expectStatus: 200 },
      happy: { needs: ['ask'], kind: 'noop' },
      unhappy: { needs: { ask: 'failed' }, kind: 'noop' },
      beside: { kind: 'noop' },
    });
    await run.ends('failed');
    expect(await run.taskStates()).toEqual({ ask: 'failed', happy: 'skipped', unhappy: 'succeeded', beside: 'succeeded' });
    expect(await run.log('ask', 'stderr')).toContain(`HTTP 503 from ${warehouseUrl}/refuse, expected 200`);
  });
});

describe('retries', () => {
  it('follow their backoff until the task succeeds, each with a log of its own', async () => {
    const script = 'echo "try $MEDLEY_ATTEMPT"; [ "$MEDLEY_ATTEMPT" -ge 3 ]';
    const run = await StartedRun.of(stack, 'retries', {
      flaky: journal.task(script, { retry: { attempts: 4, delay: '400ms', backoff: 'exponential' } }),
    });
    await run.ends('succeeded');
    const attempts = await run.attempts();
    expect(attempts.map(({ state, number, exitCode }) => [state, number, exitCode])).toEqual([
      ['failed', 1, 1],
      ['failed', 2, 1],
      ['succeeded', 3, 0],
    ]);
    const pauses = [1, 2].map((index) => attempts[index]!.claimedAt! - attempts[index - 1]!.finishedAt!);
    expect(pauses[0]).toBeGreaterThanOrEqual(400);
    expect(pauses[1]).toBeGreaterThanOrEqual(800);
    const logs = await Promise.all(attempts.map(({ id }) => run.logOf(id)));
    expect(logs).toEqual(['try 1\n', 'try 2\n', 'try 3\n']);
  });

  it('end with their number, and the run says why', async () => {
    const run = await StartedRun.of(stack, 'hopeless', { never: journal.task('exit 5', { retry: { attempts: 2, delay: '0s' } }) });
    await run.ends('failed');
    expect((await run.attempts()).map(({ state, exitCode }) => [state, exitCode])).toEqual([
      ['failed', 5],
      ['failed', 5],
    ]);
    expect((await run.why('never')).reason.text).toContain('5');
  });
});

describe('a rerun of what failed', () => {
  it('keeps what succeeded, runs the rest in order with the same parameters, and links to the run it repeats', async () => {
    const flag = `\${{ parameters.folder }}/repaired`;
    const failing = { needs: ['first'], env: { FLAG: flag }, retry: { attempts: 1 } };
    const run = await StartedRun.of(
      stack,
      'rerun',
      {
        first: journal.task('true'),
        second: journal.task('[ -e "$FLAG" ]', failing),
        third: journal.task('echo "third of $DAY"', { needs: ['second'], env: { DAY: `\${{ parameters.day }}` } }),
        beside: journal.task('true', { needs: ['first'] }),
      },
      {
        parameters: { folder: { type: 'string' }, day: { type: 'date', default: '2026-01-01' } },
        start: { folder: journal.path, day: '2026-05-05' },
      },
    );
    await run.ends('failed');
    expect(await run.taskStates()).toEqual({ first: 'succeeded', second: 'failed', third: 'skipped', beside: 'succeeded' });

    journal.openGate('repaired');
    const again = await stack.admin.post<RunView>(`/runs/${run.id}/rerun`, { mode: 'failed' });
    expect([again.rerunOf, again.trigger, again.parameters]).toEqual([run.id, 'rerun', { folder: journal.path, day: '2026-05-05' }]);
    const rerun = new StartedRun(stack, again.id, run.workflowId);
    await rerun.ends('succeeded');
    expect((await rerun.attempts()).map(({ task }) => task)).toEqual(['second', 'third']);
    expect(await rerun.log('third')).toBe('third of 2026-05-05\n');
    expect((await rerun.taskRun('first')).keptFrom).toBe((await run.taskRun('first')).id);
    const order = journal.read(again.id).map(({ task, what }) => `${task} ${what}`);
    expect(order).toEqual(['second start', 'second end', 'third start', 'third end']);
    expect(await run.state()).toBe('failed');
  });
});

describe('parameters and identity', () => {
  it('reach the environment of a task literally, whatever they hold', async () => {
    const nasty = `$(touch "$JOURNAL/pwned") '"; exit 1 #\n任务 \${{ run.id }}`;
    const run = await StartedRun.of(
      stack,
      'values',
      {
        show: journal.task('printf "%s|%s|%s" "$TEXT" "$COUNT" "$LIST"', {
          env: { TEXT: `\${{ parameters.text }}`, COUNT: `\${{ parameters.count }}`, LIST: `\${{ parameters.list }}` },
        }),
        who: journal.task('echo "$MEDLEY_RUN_ID $MEDLEY_TASK $MEDLEY_ATTEMPT $MEDLEY_FENCE $MEDLEY_NODE"'),
      },
      {
        parameters: {
          text: { type: 'string' },
          count: { type: 'integer', default: 7 },
          list: { type: 'list', items: 'string', default: ['a', 'b'] },
        },
        start: { text: nasty },
      },
    );
    await run.ends('succeeded');
    const [text, count, list] = (await run.log('show')).split('|');
    expect([text, count]).toEqual([nasty, '7']);
    expect(list).toMatch(/a.*b/);
    const [attempt] = await run.attempts('who');
    expect(await run.log('who')).toBe(`${run.id} who 1 1 ${attempt!.node}\n`);
    const pwned = await StartedRun.of(stack, 'pwned', { look: journal.task('[ ! -e "$JOURNAL/pwned" ]') });
    await pwned.ends('succeeded');
  });
});

describe('the stored log', () => {
  it('keeps Chinese text whole across the borders of chunks and pages', async () => {
    // One three-byte character at a time, each flushed alone in three parts: chunk borders fall inside characters.
    const python = `
import os, sys, time
text = "调度任务日志完整" * 40
for byte in text.encode():
    os.write(1, bytes([byte]))
    if byte % 7 == 0: time.sleep(0.005)
os.write(1, b"\\n")
os.write(1, ("错" * 200000 + "\\n").encode())
`;
    const run = await StartedRun.of(stack, 'chinese', { speak: { python, ...light, env: { LANG: 'C', PYTHONUTF8: '0' } } });
    await run.ends('succeeded');
    const expected = `${'调度任务日志完整'.repeat(40)}\n${'错'.repeat(200_000)}\n`;
    expect((await run.log('speak')) === expected).toBe(true);

    const [attempt] = await run.attempts();
    let text = '';
    let after = '';
    for (let complete = false; !complete; ) {
      const page = await stack.admin.get<{ parts: { text: string }[]; next: string; complete: boolean }>(
        `/attempts/${attempt!.id}/log?stream=stdout&limit=1024${after}`,
      );
      text += page.parts.map((part) => part.text).join('');
      after = `&after=${encodeURIComponent(page.next)}`;
      complete = page.complete;
    }
    expect(text === expected).toBe(true);
    expect(text).not.toContain('\uFFFD');
  });
});
