import { endLeftovers } from './leftovers.mjs';

/**
 * The guard of one `npm start`, a process of its own that outlives it: its standard input ends when the runner ends, however that happens.
 * Then it ends what is left of the runner's home, says how many processes that were, and goes. Process ids that the runner wrote to it, one a
 * line, are ended first: that is for systems where children cannot be tied to their parent's death.
 */
const { home, groups } = JSON.parse(process.argv[2]);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.stdout.on('error', () => undefined);

let received = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  received += text;
});
process.stdin.on('end', async () => {
  for (const pid of received.split('\n').filter(Boolean)) end(Number(pid));
  process.stdout.write(`${await endLeftovers({ home, groups })}\n`);
});

function end(pid) {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // gone already
  }
}
