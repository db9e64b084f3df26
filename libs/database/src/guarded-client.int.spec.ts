import { createServer, type Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createDataSource } from './data-source.js';

let server: Server;

afterEach(() => server.close());

/** One message of the Postgres protocol: its type, its length and its body. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

it('the loss of a connection in the moment in which it is handed out is an error of its user and not the end of the process', async () => {
  const accepted = message('R', Buffer.alloc(4));
  const ready = message('Z', Buffer.from('I'));
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to unexpected postmaster exit'];
  const lastWords = message('E', Buffer.from(`${fields.join('\0')}\0\0`));
  let connections = 0;
  server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.concat([accepted, ready, lastWords])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };

  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  try {
    await expect(createDataSource({ url: `postgres://medley@127.0.0.1:${port}/medley` }).initialize()).rejects.toThrow();
  } finally {
    process.off('uncaughtException', note);
  }
  expect(connections).toBeGreaterThan(0);
  expect(uncaught).toEqual([]);
});
