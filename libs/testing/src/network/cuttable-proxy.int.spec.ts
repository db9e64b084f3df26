import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../waiting/wait-for.js';
import { CuttableProxy } from './cuttable-proxy.js';

let echo: Server;
let proxy: CuttableProxy;

beforeAll(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  proxy = await CuttableProxy.start(() => (echo.address() as { port: number }).port);
});

afterAll(async () => {
  await proxy.stop();
  echo.close();
});

function dial(): { socket: Socket; received: () => string } {
  let text = '';
  const socket = connect(proxy.port, '127.0.0.1');
  socket.on('data', (bytes) => {
    text += bytes.toString();
  });
  socket.on('error', () => undefined);
  return { socket, received: () => text };
}

describe('a cuttable proxy', () => {
  it('carries bytes, keeps them back while it is cut, and drops the old connections when restored', async () => {
    const before = dial();
    before.socket.write('one');
    await waitFor(() => before.received() === 'one');

    proxy.cut();
    const during = dial();
    await once(during.socket, 'connect');
    before.socket.write('two');
    during.socket.write('three');
    const direct = connect((echo.address() as { port: number }).port, '127.0.0.1');
    direct.write('direct');
    await once(direct, 'data');
    direct.destroy();
    expect([before.received(), during.received(), before.socket.closed, during.socket.closed]).toEqual(['one', '', false, false]);

    const gone = Promise.all([once(before.socket, 'close'), once(during.socket, 'close')]);
    proxy.restore();
    await gone;
    const after = dial();
    after.socket.write('four');
    await waitFor(() => after.received() === 'four');
    after.socket.destroy();
  });
});
