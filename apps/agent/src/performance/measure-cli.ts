import { tmpdir } from 'node:os';
import { measurePerformance } from './measure-performance.js';

/** Measures this machine as an agent would, in the directory given or the temporary one, and prints it as one line of JSON. */
const [directory = tmpdir(), tie] = process.argv.slice(2);

if (tie === '--with-parent') {
  // The parent holds the other end of the standard input: once it is gone, nobody wants the result.
  process.stdin.on('end', () => process.exit(1)).resume();
}
process.stdout.write(`${JSON.stringify(await measurePerformance(directory))}\n`, () => process.exit());
