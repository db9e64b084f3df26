import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ApplyAnswer, CreatedApiToken, Page, RunView, ScheduleView } from '@medley/contracts';
import { Stack, StartedRun, type TemporaryDirectory, temporaryDirectory, untilNodes } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const section = readme.slice(readme.indexOf('## A first workflow'), readme.indexOf('## More'));
/** The blocks of the section, by what they are written in. */
const blocks = [...section.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, language, text]) => ({ language, text: text! }));
const workflow = blocks.find(({ language }) => language === 'yaml')!.text;
/** A bare machine has no curl. */
const standIn = fileURLToPath(new URL('./curl-stand-in.mjs', import.meta.url));
const orElse = `command -v curl > /dev/null || curl() { "${process.execPath}" "${standIn}" "$@"; }`;
const commands = blocks.filter(({ language }) => language === '').map(({ text }) => text.trim());

let stack: Stack;
let directory: TemporaryDirectory;
let token: string;

beforeAll(async () => {
  directory = temporaryDirectory('readme');
  stack = await Stack.start({ redis: false });
  await stack.addAgent({ name: 'only' });
  await untilNodes(stack.databaseUrl, ['only']);
  token = (await stack.admin.post<CreatedApiToken>('/tokens', { name: 'readme', scopes: ['write'] })).token;
});

afterAll(async () => {
  await stack?.stop();
  directory.remove();
});

/** Types a command of the page into a shell; only the server is another one. */
async function type(command: string, variables: Record<string, string>): Promise<unknown> {
  const here = command.replaceAll('http://127.0.0.1:8080', stack.url);
  const env = { PATH: process.env.PATH, TOKEN: token, ...variables };
  const { stdout } = await promisify(execFile)('sh', ['-ec', `${orElse}\n${here}`], { cwd: directory.path, env });
  return JSON.parse(stdout);
}

async function expectItRan(run: StartedRun): Promise<void> {
  await run.ends('succeeded');
  expect(await run.taskStates()).toEqual({ extract: 'succeeded', north: 'succeeded', south: 'succeeded', publish: 'succeeded' });
  expect(await run.log('extract')).toBe('extracting 2026-01-31\n');
  expect([await run.log('north'), await run.log('south'), await run.log('publish')]).toEqual(['north\n', 'south\n', 'published\n']);
}

describe('the first workflow of the README', () => {
  it('is applied and started by the commands that stand below it', async () => {
    expect(commands).toHaveLength(2);
    writeFileSync(join(directory.path, 'nightly.yaml'), workflow);
    const applied = (await type(commands[0]!, {})) as ApplyAnswer;
    expect(applied).toMatchObject({ workflow: 'nightly', changed: true });
    const { items } = await stack.admin.get<Page<ScheduleView>>(`/schedules?workflowId=${applied.workflowId}`);
    expect(items).toMatchObject([{ name: 'every-night', zone: 'Asia/Shanghai', enabled: true }]);

    const run = (await type(commands[1]!, { WORKFLOW: applied.workflowId! })) as RunView;
    await expectItRan(new StartedRun(stack, run.id, applied.workflowId!));
  });

  it('asks for little enough of each task to spread over the three local agents, the weakest included', async () => {
    const work = workflow.match(/\b(run|python): /g);
    expect(workflow.match(/resources: \{ cpu: 0\.25\b/g)).toHaveLength(work!.length);
  });

  it('runs when it is sent as it stands', async () => {
    const { workflowId, changed } = await stack.admin.apply(workflow);
    expect(changed).toBe(false);
    const run = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`);
    await expectItRan(new StartedRun(stack, run.id, workflowId!));
  });
});
