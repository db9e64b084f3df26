import { join } from 'node:path';
import type { CreatedJoinToken } from '@medley/contracts';
import { type AgentProgram, readNodes, Stack, startAgent, type TemporaryDirectory, temporaryDirectory, untilNodes } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let stack: Stack;
let homes: TemporaryDirectory;
const agents: AgentProgram[] = [];

beforeAll(async () => {
  homes = temporaryDirectory('homes');
  stack = await Stack.start({ redis: false });
});

afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.kill9()));
  await stack?.stop();
  homes.remove();
});

function start(name: string, joinToken: string | undefined): AgentProgram {
  const agent = startAgent({ serverUrl: stack.url, name, home: join(homes.path, name), joinToken });
  agents.push(agent);
  return agent;
}

describe('an agent', () => {
  it.each([
    ['no', undefined, 'MEDLEY_JOIN_TOKEN'],
    ['an empty', '', 'MEDLEY_JOIN_TOKEN: is empty'],
    ['a blank', '   ', 'MEDLEY_JOIN_TOKEN: is empty'],
    ['an invented', 'medley_join_0123456789abcdef0123456789abcdef', 'unknown, expired, revoked or used up'],
  ])('with %s join token ends at once and says what to do', async (_kind, token, message) => {
    const agent = start(`refused-${agents.length}`, token);
    expect(await agent.exited).toMatchObject({ code: 1 });
    expect(agent.output).toContain(message);
    expect(await readNodes(stack.databaseUrl)).toEqual([]);
  });

  it('with a used-up or revoked token is refused, and the node of that name stays who it is', async () => {
    const used = await stack.admin.post<CreatedJoinToken>('/join-tokens', { maxUses: 1 });
    const first = start('first', used.token);
    await untilNodes(stack.databaseUrl, ['first']);
    const second = start('second', used.token);
    expect(await second.exited).toMatchObject({ code: 1 });
    expect(second.output).toContain('used up');

    const revoked = await stack.admin.post<CreatedJoinToken>('/join-tokens', {});
    await stack.admin.delete(`/join-tokens/${revoked.id}`);
    const third = start('third', revoked.token);
    expect(await third.exited).toMatchObject({ code: 1 });

    const fresh = await stack.admin.post<CreatedJoinToken>('/join-tokens', {});
    const impostor = startAgent({ serverUrl: stack.url, name: 'first', home: join(homes.path, 'impostor'), joinToken: fresh.token });
    agents.push(impostor);
    expect(await impostor.exited).toMatchObject({ code: 1 });
    expect(impostor.output).toContain('in service');
    expect((await readNodes(stack.databaseUrl)).map(({ name, state }) => [name, state])).toEqual([['first', 'online']]);
    expect(first.isRunning).toBe(true);
  });
});
