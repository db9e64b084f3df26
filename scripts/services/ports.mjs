import { randomInt } from 'node:crypto';
import { createConnection, createServer } from 'node:net';

// Below the ports that systems give to outgoing connections (32768 and up on Linux, 49152 on others), so that none of
// them takes a port between its choice and its use; above those that browsers refuse to open (10080 is the last).
const CHOSEN_PORTS = { from: 11_000, to: 32_768 };

/** A random TCP port that is free on this address now; another process may still choose the same one. */
export async function freePort(host = '127.0.0.1') {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(CHOSEN_PORTS.from, CHOSEN_PORTS.to);
    if (await isPortFree(port, host)) return port;
  }
  throw new Error(`no free TCP port on ${host} between ${CHOSEN_PORTS.from} and ${CHOSEN_PORTS.to}`);
}

/** True when a server could listen on this port now. */
export function isPortFree(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}

/** The first free port at or after `from`, or null when none of the next `tries` is. */
export async function nextFreePort(from, host, tries = 100) {
  for (let port = from; port < Math.min(from + tries, 65_536); port += 1) {
    if (await isPortFree(port, host)) return port;
  }
  return null;
}

/** Sends `request` over a fresh connection and resolves with the first answer, or null when there is none within `timeoutMs`. */
export function askPort({ port, host = '127.0.0.1', request, timeoutMs = 1_000 }) {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host });
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(timeoutMs, () => end(null));
    socket.once('error', () => end(null));
    socket.once('close', () => end(null));
    socket.once('data', (data) => end(data.toString('utf8')));
    socket.once('connect', () => socket.write(request));
  });
}
