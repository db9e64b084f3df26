import { createConnection, createServer } from 'node:net';

/** A TCP port that is free on this address now; the caller must still expect to lose a race for it. */
export function freePort(host = '127.0.0.1') {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
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
