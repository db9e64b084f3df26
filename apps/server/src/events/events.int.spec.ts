import type { ApplyAnswer, ChangeEvent } from '@medley/contracts';
import { aWorkflow } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.js';

/** Reads from the stream until the text of it fulfils the condition. */
async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, holds: (text: string) => boolean): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  while (!holds(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended after ${JSON.stringify(text)}`);
    text += decoder.decode(value, { stream: true });
  }
  return text;
}

describe('the event stream', () => {
  let server: TestServer;
  let closed = false;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(async () => {
    if (!closed) await server.close();
  });

  it('greets and then tells what changed', async () => {
    const answer = await server.admin.request('GET', '/events');
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    const reader = answer.body!.getReader();
    await readUntil(reader, (text) => text.includes('event: hello'));
    const { workflowId } = await server.admin.post<ApplyAnswer>('/workflows/apply', aWorkflow({ a: { run: 'true' } }));
    const text = await readUntil(reader, (read) => read.includes(workflowId!));
    const changes = JSON.parse(/data: (\[.*\])/.exec(text)![1]!) as ChangeEvent[];
    expect(changes).toContainEqual({ entity: 'workflow', id: workflowId, projectId: expect.any(String) });
    await reader.cancel();
  });

  it('is refused without signing in', async () => {
    expect((await fetch(`${server.url}/api/v1/events`)).status).toBe(401);
  });

  it('ends when the server stops, which does not wait for its readers', async () => {
    const reader = (await server.admin.request('GET', '/events')).body!.getReader();
    await readUntil(reader, (text) => text.includes('event: hello'));
    const before = performance.now();
    const [ended] = await Promise.all([reader.read().then(({ done }) => done), server.close()]);
    closed = true;
    expect(ended).toBe(true);
    expect(performance.now() - before).toBeLessThan(5000);
  });
});
