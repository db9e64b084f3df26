import { existsSync } from 'node:fs';
import { StepFailed } from '../repository/run.mjs';
import { canInstallPackages, installPackages } from '../services/apt.mjs';
import { findProgram } from '../services/programs.mjs';

const noto = '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc';

/** What the tests need besides packages of npm: how it is recognised, and the Debian package that brings it. */
const needs = [
  { what: 'redis-server', package: 'redis-server', isThere: () => findProgram('redis-server') !== null },
  { what: 'chromium', package: 'chromium', isThere: () => findProgram('chromium') !== null },
  { what: 'python3', package: 'python3', isThere: () => findProgram('python3') !== null },
  { what: 'slapd', package: 'slapd', isThere: () => findProgram('slapd') !== null },
  { what: 'openssl', package: 'openssl', isThere: () => findProgram('openssl') !== null },
  { what: 'curl', package: 'curl', isThere: () => findProgram('curl') !== null },
  { what: 'setpriv', package: 'util-linux', isThere: () => findProgram('setpriv') !== null },
  { what: 'Chinese glyphs', package: 'fonts-noto-cjk', isThere: () => existsSync(noto) },
];

/** Installs what is missing as root; otherwise tells what to install, because no test is skipped. */
export function ensureTestNeeds() {
  ensureNeeds(needs, 'the tests');
}

/** What looks at the console: a browser, and glyphs without which Chinese is drawn as empty boxes. */
export function ensureBrowserNeeds(whoNeeds) {
  const ofBrowsers = ['chromium', 'Chinese glyphs'];
  ensureNeeds(
    needs.filter(({ what }) => ofBrowsers.includes(what)),
    whoNeeds,
  );
}

function ensureNeeds(wanted, whoNeeds) {
  const missing = wanted.filter((need) => !need.isThere());
  if (missing.length === 0) return;
  const packages = missing.map((need) => need.package);
  if (canInstallPackages()) {
    console.log(`medley: installing ${packages.join(', ')} with apt-get (${whoNeeds} need them)`);
    installPackages(packages);
  }
  const absent = wanted.filter((need) => !need.isThere());
  if (absent.length === 0) return;
  const list = absent.map((need) => `${need.what} (Debian: ${need.package})`).join(', ');
  throw new StepFailed(`${whoNeeds} need ${list}. Install them, as root: apt-get install ${packages.join(' ')}`);
}
