import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { basename, join } from 'node:path';

// Loaded by `node --import` before a server or agent; the directory comes in the query of its own address.
const directory = new URL(import.meta.url).searchParams.get('directory') as string;
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.start');

process.once('exit', () => {
  session.post('Profiler.stop', (error, answer) => {
    if (error !== null) return;
    mkdirSync(directory, { recursive: true });
    const program = basename(join(process.argv[1] ?? 'node', '../..'));
    writeFileSync(join(directory, `${program}-${process.pid}.cpuprofile`), JSON.stringify(answer.profile));
  });
});
