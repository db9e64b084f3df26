import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ApplyAnswer, NodeListItem, Page as RestPage, RunView } from '@medley/contracts';
import { Stack, temporaryDirectory, untilNodes, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser } from './console-browser.js';

const consoleDirectory = fileURLToPath(new URL('../../../apps/console/dist', import.meta.url));
const agentBundle = fileURLToPath(new URL('../../../apps/agent/dist/bundle/medley-agent.mjs', import.meta.url));

describe('a machine that has nothing but Node', () => {
  const machine = temporaryDirectory('machine');
  const work = join(machine.path, 'work');
  let stack: Stack;
  let browser: ConsoleBrowser;
  let shell: ChildProcess | undefined;
  let printed = '';

  beforeAll(async () => {
    mkdirSync(work);
    stack = await Stack.start({ redis: false, serverEnv: { MEDLEY_CONSOLE_DIR: consoleDirectory, MEDLEY_AGENT_BUNDLE: agentBundle } });
    browser = await ConsoleBrowser.open(stack.url);
  });
  afterAll(async () => {
    shell?.kill('SIGKILL');
    await browser?.close();
    await stack?.stop();
    machine.remove();
  });

  /** As a person pastes it: an empty directory, a home of its own, and no setting of Medley but the mark by which leftovers are found. */
  function paste(line: string): void {
    const env = { PATH: process.env.PATH, HOME: machine.path, MEDLEY_HOME: stack.marker };
    shell = spawn('sh', ['-c', `exec ${line}`], { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [shell.stdout!, shell.stderr!]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  }

  it('joins by the line that the console shows, with the labels of its token', async () => {
    const { page } = browser;
    await page.goto('/nodes');
    await browser.signIn(stack.bootstrap.adminName, stack.bootstrap.adminPassword);
    await page.getByRole('button', { name: 'Join a node' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Join a node' });
    await dialog.getByLabel('Labels').fill('zone=pasted');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Only this machine reaches the server').waitFor();
    const line = await dialog.getByLabel('Paste this line into a terminal').textContent();
    expect(line).toMatch(/^node -e "/);
    paste(line!);
    const nodes = await waitFor(
      async () => {
        const { items } = await stack.admin.get<RestPage<NodeListItem>>('/nodes');
        return items.length === 1 && items[0]!.state === 'online' ? items : null;
      },
      { describe: () => `the pasted line to bring a node; it printed ${printed}` },
    );
    expect(nodes[0]!.labels).toEqual({ zone: 'pasted' });
    expect(readdirSync(work)).toEqual(['medley-agent.mjs']);
  });

  it('runs tasks, is measured, and comes back without a token', async () => {
    const document = {
      medley: 1,
      project: 'default',
      workflow: 'hello',
      tasks: { a: { run: 'echo hi', labels: 'zone = pasted' }, b: { node: 'console.log(1)' } },
    };
    const { workflowId } = await stack.admin.post<ApplyAnswer>('/workflows/apply', document);
    const runs = async () => {
      const { id } = await stack.admin.post<RunView>(`/workflows/${workflowId}/runs`, {});
      await waitFor(async () => (await stack.admin.get<RunView>(`/runs/${id}`)).state === 'succeeded', { describe: 'the run to succeed' });
    };
    await runs();
    const [node] = (await stack.admin.get<RestPage<NodeListItem>>('/nodes')).items;
    await waitFor(async () => (await stack.admin.get<NodeListItem>(`/nodes/${node!.id}`)).performance.measured !== null, {
      describe: 'the node to be measured',
    });
    shell!.kill('SIGTERM');
    await new Promise((resolve) => shell!.once('exit', resolve));
    const again = await browser.page.getByRole('dialog', { name: 'Join a node' }).getByLabel('Later, after a restart').textContent();
    paste(again!);
    await untilNodes(stack.databaseUrl, [node!.name]);
    await runs();
  });

  it('is told when what it loaded is not what the server promised', async () => {
    const line = (await browser.page.getByLabel('Paste this line into a terminal').textContent())!.replace(
      /h==='[0-9a-f]/,
      (start) => `${start.slice(0, -1)}x`,
    );
    shell!.kill('SIGTERM');
    await new Promise((resolve) => shell!.once('exit', resolve));
    printed = '';
    paste(line);
    const code = await new Promise((resolve) => shell!.once('exit', resolve));
    expect({ code, printed }).toEqual({ code: 1, printed: expect.stringContaining('the agent was changed on its way') });
  });

  it('met no error of the page on the way', () => {
    expect(browser.complaints).toEqual([]);
  });
});
