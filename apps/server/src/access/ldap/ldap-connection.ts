import { readFileSync } from 'node:fs';
import { createConnection, isIP, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectSecurely } from 'node:tls';
import { Client } from 'ldapts';
import type { LdapConfig } from './ldap.config.js';

/**
 * Does `work` over one connection, which is encrypted as configured before anything is said, and ends with it. Rejects when the time is over,
 * whatever the directory is doing then.
 */
export async function withLdapConnection<Result>(config: LdapConfig, work: (client: Client) => Promise<Result>): Promise<Result> {
  const sockets: Socket[] = [];
  const client = clientOf(config, sockets);
  const patience = new AbortController();
  const tooLate = delay(config.timeoutSeconds * 1000, undefined, { signal: patience.signal }).then(() => {
    throw new Error(`the directory did not answer within ${config.timeoutSeconds} s`);
  });
  try {
    return await Promise.race([protectedWork(config, client, work), tooLate]);
  } finally {
    patience.abort();
    tooLate.catch(() => undefined);
    for (const socket of sockets) socket.destroy();
  }
}

async function protectedWork<Result>(config: LdapConfig, client: Client, work: (client: Client) => Promise<Result>): Promise<Result> {
  if (config.startTls) await client.startTLS(tlsOptionsOf(config));
  return work(client);
}

/** The library may connect anew when a connection is lost, and StartTLS would be missing there: a second connection is refused. */
function clientOf(config: LdapConfig, sockets: Socket[]): Client {
  const once = <Made extends Socket>(connect: () => Made) => {
    return () => {
      if (sockets.length > 0) throw new Error('the connection to the directory was lost');
      const socket = connect();
      sockets.push(socket);
      return socket;
    };
  };
  const { hostname, port, protocol } = new URL(config.url);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'ldap:') {
    const createPlain = once(() => createConnection({ host, port: Number(port || 389) }));
    return new Client({ url: config.url, createConnection: createPlain as typeof createConnection });
  }
  const createSecure = once(() => connectSecurely({ ...tlsOptionsOf(config), port: Number(port || 636) }));
  return new Client({ url: config.url, createSecureConnection: createSecure as typeof connectSecurely });
}

function tlsOptionsOf({ url, caFile }: LdapConfig): ConnectionOptions {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...(caFile === null ? {} : { ca: readFileSync(caFile) }),
  };
}
