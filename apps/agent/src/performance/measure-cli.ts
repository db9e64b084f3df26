import { tmpdir } from 'node:os';
import { measurePerformance } from './measure-performance.js';

/** Measures this machine as an agent would, in the directory given or the temporary one, and prints it as one line of JSON. */
process.stdout.write(`${JSON.stringify(await measurePerformance(process.argv[2] ?? tmpdir()))}\n`);
