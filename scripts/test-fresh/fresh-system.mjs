import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../repository/paths.mjs';
import { run, StepFailed } from '../repository/run.mjs';

const checkout = '/srv/medley';
const certificateVariables = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'];
const proxyVariables = ['http_proxy', 'https_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'];

/** A bare Debian in a folder, in which the tests run by chroot. */
export class FreshSystem {
  #folder = mkdtempSync(join(tmpdir(), 'medley-fresh-'));
  #mounts = [];

  async unpack(archive) {
    await step(['tar', '--extract', '--numeric-owner', '--file', archive, '--directory', this.#folder]);
    await step(['chmod', '0755', this.#folder]);
  }

  /** How this machine reaches the registries: name resolution, certificates, apt's sources and npm's settings. Read now, stored nowhere else. */
  async addHostSettings() {
    const npm = ['userconfig', 'globalconfig'].map((name) => capture(['npm', 'config', 'get', name]));
    const certificates = certificateVariables.map((name) => process.env[name]).filter(Boolean);
    const paths = [
      '/etc/resolv.conf',
      '/etc/hosts',
      '/etc/ssl/certs/ca-certificates.crt',
      '/etc/apt',
      '/usr/share/keyrings',
      ...npm,
      ...certificates,
    ];
    for (const path of paths) this.#copy(path);
  }

  /** The Node that runs this script, and its npm. */
  async addNode() {
    const modules = capture(['npm', 'root', '--global']);
    cpSync(process.execPath, this.#inside('/usr/local/bin/node'), { dereference: true });
    cpSync(join(modules, 'npm'), this.#inside('/usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
    for (const name of ['npm', 'npx']) {
      await step(['ln', '--symbolic', '--force', `../lib/node_modules/npm/bin/${name}-cli.js`, this.#inside(`/usr/local/bin/${name}`)]);
    }
  }

  async cloneHead() {
    await step(['git', 'clone', '--quiet', '--no-hardlinks', '--depth=1', `file://${root}`, this.#inside(checkout)]);
  }

  /** The commit that was cloned, abbreviated. */
  commit() {
    return capture(['git', '-C', this.#inside(checkout), 'rev-parse', '--short', 'HEAD']);
  }

  async mount() {
    for (const [type, path] of [
      ['proc', '/proc'],
      ['sysfs', '/sys'],
      ['tmpfs', '/tmp'],
    ]) {
      await this.#mount(['mount', '-t', type, type, this.#inside(path)], path);
    }
    await this.#mount(['mount', '--rbind', '--make-rslave', '/dev', this.#inside('/dev')], '/dev');
    if (existsSync('/sys/fs/cgroup'))
      await this.#mount(['mount', '--rbind', '--make-rslave', '/sys/fs/cgroup', this.#inside('/sys/fs/cgroup')], '/sys/fs/cgroup');
  }

  /**
   * The exit code of `npm test` in there, and how many tests passed and failed as its last line says, or null when it did not come so far. The
   * environment is bare but for the way to the registries.
   */
  async runTests(args) {
    const passed = [...certificateVariables, ...proxyVariables].filter((name) => process.env[name] !== undefined);
    const variables = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LANG=C.UTF-8'];
    const environment = ['env', '--ignore-environment', ...variables, ...passed.map((name) => `${name}=${process.env[name]}`)];
    const command = ['sh', '-c', `cd ${checkout} && exec npm test -- "$@"`, 'sh', ...args];
    let counts = null;
    const shown = (line) => {
      counts = countsOf(line) ?? counts;
      return line;
    };
    const code = await run(['chroot', this.#folder, ...environment, ...command], { shown });
    return { code, counts };
  }

  /** Ends what runs in there, unmounts, and removes nothing while a mount is left: a removal would reach through it. */
  remove() {
    this.#endProcesses();
    for (const path of this.#mounts.splice(0).reverse()) {
      const { status } = spawnSync('umount', ['--recursive', '--lazy', path]);
      if (status !== 0) throw new StepFailed(`${path} could not be unmounted; unmount it by hand, then remove ${this.#folder}`);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #endProcesses() {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        if (readlinkSync(`/proc/${pid}/root`) === this.#folder) process.kill(Number(pid), 'SIGKILL');
      } catch {
        // ended by itself meanwhile
      }
    }
  }

  async #mount(argv, path) {
    await step(argv);
    this.#mounts.push(this.#inside(path));
  }

  #inside(path) {
    return join(this.#folder, path);
  }

  #copy(path) {
    if (!existsSync(path)) return;
    mkdirSync(dirname(this.#inside(path)), { recursive: true });
    cpSync(path, this.#inside(path), { recursive: true, dereference: true, force: true });
  }
}

/** What the last line of `npm test` says. */
function countsOf(line) {
  const match = /^(\d+) passed, (\d+) failed$/.exec(line);
  return match === null ? null : { passed: Number(match[1]), failed: Number(match[2]) };
}

async function step(argv) {
  const code = await run(argv);
  if (code !== 0) throw new StepFailed(`${argv.join(' ')} ended with code ${code}`);
}

function capture([command, ...args]) {
  const { stdout, status } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new StepFailed(`${command} ${args.join(' ')} ended with code ${status}`);
  return stdout.trim();
}
