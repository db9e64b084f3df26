import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { lookAt } from './look-at.js';
import { addressFault } from './probe-addresses.js';

describe('an address that workflows may let the server ask', () => {
  it.each([
    '127.0.0.1',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '::',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '64:ff9b::7f00:1',
  ])('is none of this machine: %s', (address) => {
    expect(addressFault(address, 'private')?.code).toBe('address-of-server');
    expect(addressFault(address, 'all')).toBeNull();
  });

  it.each(['10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', 'fd00::1', '::ffff:10.0.0.1'])(
    'is of a private network where that is allowed: %s',
    (address) => {
      expect(addressFault(address, 'private')).toBeNull();
      expect(addressFault(address, 'public')?.code).toBe('address-private');
    },
  );

  it.each(['93.184.216.34', '172.32.0.1', '2606:4700::1111'])('is any of the Internet: %s', (address) => {
    expect(addressFault(address, 'public')).toBeNull();
  });
});

describe('a look at an address', () => {
  let close = () => {};
  afterEach(() => close());

  async function serve(answer: Parameters<typeof createServer>[1]) {
    const server = createServer(answer as never).listen(0, '127.0.0.1');
    close = () => {
      server.closeAllConnections();
      server.close();
    };
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  const question = (url: string, headers = {}) => ({ url, method: 'GET', headers, expectStatus: [200] });

  it('reads the head of an endless answer only, and follows no redirect', async () => {
    const endless = await serve(((
      _: unknown,
      response: { writeHead(status: number, headers: object): void; write(text: string): void },
    ) => {
      response.writeHead(302, { location: 'http://127.0.0.1/' });
      response.write('x'.repeat(100_000));
    }) as never);
    const found = { code: 'look-status', values: { status: 302 } };
    expect(await lookAt(question(`http://localhost:${endless}/`), 'all')).toEqual({ isMet: false, found });
  });

  it('is over after its time, and fails for a head that is too long', async () => {
    const silent = await serve((() => {}) as never);
    expect((await lookAt(question(`http://127.0.0.1:${silent}/`), 'all', 0.05)).found.code).toBe('look-timeout');
    close();
    const long = await serve(((_: unknown, response: { writeHead(status: number, headers: object): { end(): void } }) =>
      response.writeHead(200, { long: 'x'.repeat(20_000) }).end()) as never);
    expect((await lookAt(question(`http://127.0.0.1:${long}/`), 'all')).found).toMatchObject({
      code: 'look-failed',
      values: { fault: 'HPE_HEADER_OVERFLOW' },
    });
  });

  it('is refused by the address behind a name, however the name or number is written', async () => {
    for (const host of ['localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])
      expect((await lookAt(question(`http://${host}:1/`), 'private')).found.code).toBe('address-of-server');
  });

  it('tells what went wrong before anything was sent', async () => {
    expect((await lookAt(question('http://127.0.0.1:1/'), 'all')).found).toMatchObject({
      code: 'look-failed',
      values: { fault: 'ECONNREFUSED' },
    });
    expect((await lookAt(question('http://127.0.0.1:1/', { odd: 'a\nb' }), 'all')).found).toMatchObject({
      values: { fault: 'ERR_INVALID_CHAR' },
    });
  });
});
