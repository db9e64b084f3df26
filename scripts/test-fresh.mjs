import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './repository/paths.mjs';
import { main, StepFailed } from './repository/run.mjs';
import { ensureProgram } from './services/apt.mjs';
import { isRoot } from './services/programs.mjs';
import { baseArchive } from './test-fresh/base-archive.mjs';
import { FreshSystem } from './test-fresh/fresh-system.mjs';

const mostMinutes = 15;
const records = join(root, '.medley/test-fresh.jsonl');

/** Runs `npm test` on a clone of HEAD in a minimal Debian that has Node and npm and nothing else. Fails when it takes too long, too. */
await main(async () => {
  if (process.platform !== 'linux' || !isRoot())
    throw new StepFailed('test:fresh makes a chroot and mounts file systems: it needs root on Linux');
  const debootstrap = ensureProgram({ programs: ['debootstrap'], packages: ['debootstrap'], purpose: 'it makes the bare system' });
  if (debootstrap === null) throw new StepFailed('test:fresh needs debootstrap; install it');
  const archive = await baseArchive({ debootstrap, cache: join(root, '.medley/cache') });
  const system = new FreshSystem();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      system.remove();
      process.exit(130);
    });
  }
  try {
    await system.unpack(archive);
    await system.addHostSettings();
    await system.addNode();
    await system.cloneHead();
    await system.mount();
    const startedAt = performance.now();
    const commit = system.commit();
    const { code, counts } = await system.runTests(process.argv.slice(2));
    return judge({ commit, minutes: (performance.now() - startedAt) / 60_000, counts, code });
  } finally {
    system.remove();
  }
});

/**
 * The exit code: tests that take longer than people wait for are not run by them, so the time is part of what is tested. What was found is the last
 * line and stays in the ignored home, as a line of JSON for each run.
 */
function judge({ commit, minutes, counts, code }) {
  const record = { commit, at: new Date().toISOString(), minutes: Number(minutes.toFixed(1)), mostMinutes, ...counts, code };
  mkdirSync(dirname(records), { recursive: true });
  appendFileSync(records, `${JSON.stringify(record)}\n`);
  const found = counts === null ? 'no counts' : `${counts.passed} passed, ${counts.failed} failed`;
  console.log(`fresh machine, commit ${commit}: npm test took ${minutes.toFixed(1)} minutes (at most ${mostMinutes}), ${found}`);
  return code === 0 && minutes > mostMinutes ? 1 : code;
}
