import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, StepFailed } from '../repository/run.mjs';

const suite = 'bookworm';

/** A tar archive of Debian's minimal system with certificates, made once and kept in `cache`. */
export async function baseArchive({ debootstrap, cache }) {
  const archive = join(cache, `${suite}-minbase.tar`);
  if (existsSync(archive)) return archive;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'medley-debootstrap-'));
  try {
    console.log('medley: making a minimal Debian (once, under a minute)');
    await step([debootstrap, '--variant=minbase', '--include=ca-certificates', suite, folder, ...debianMirror()]);
    await step(['tar', '--create', '--numeric-owner', '--file', `${archive}.new`, '--directory', folder, '.']);
    renameSync(`${archive}.new`, archive);
    return archive;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function step(argv) {
  const code = await run(argv);
  if (code !== 0) throw new StepFailed(`${argv[0]} ended with code ${code}`);
}

/** The mirror that this machine's own apt uses, when it can be told. */
function debianMirror() {
  const folder = '/etc/apt/sources.list.d';
  const files = ['/etc/apt/sources.list', ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [])];
  for (const file of files.filter((path) => existsSync(path) && /\.(list|sources)$/.test(path))) {
    const found = /^(?:URIs:|deb(?: \[[^\]]*\])?) *(https?:\S+\/debian\/?)(?:\s|$)/m.exec(readFileSync(file, 'utf8'));
    if (found !== null) return [found[1]];
  }
  return [];
}
