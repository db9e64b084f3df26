import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { measurePerformance } from './measure-performance.js';

/**
 * Measures this machine as an agent would, in the directory given or the temporary one, and prints it as one line of JSON. `--cpu-share` tells
 * of a throttle that this process does not see by itself.
 */
const { values, positionals } = parseArgs({
  options: { 'with-parent': { type: 'boolean' }, 'cpu-share': { type: 'string' } },
  allowPositionals: true,
});
const [directory = tmpdir()] = positionals;
const sharePercent = values['cpu-share'] === undefined ? null : Number(values['cpu-share']);

if (values['with-parent']) {
  // The parent holds the other end of the standard input: once it is gone, nobody wants the result.
  process.stdin.on('end', () => process.exit(1)).resume();
}
process.stdout.write(`${JSON.stringify(await measurePerformance(directory, sharePercent))}\n`, () => process.exit());
