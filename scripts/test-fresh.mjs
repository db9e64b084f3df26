import { join } from 'node:path';
import { root } from './repository/paths.mjs';
import { main, StepFailed } from './repository/run.mjs';
import { ensureProgram } from './services/apt.mjs';
import { isRoot } from './services/programs.mjs';
import { baseArchive } from './test-fresh/base-archive.mjs';
import { FreshSystem } from './test-fresh/fresh-system.mjs';

/** Runs `npm test` on a clone of HEAD in a minimal Debian that has Node and npm and nothing else. */
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
    return await system.runTests(process.argv.slice(2));
  } finally {
    system.remove();
  }
});
