import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { type Child, diesWithParent, findProgram, freePort, startChild, untilReady } from '@medley/scripts/services';
import { temporaryDirectory } from '../services/temporary-directory.js';
import { type Certificates, makeCertificates } from './certificates.js';

const base = 'dc=example,dc=org';
const people = `ou=people,${base}`;
const groupsBase = `ou=groups,${base}`;
const serviceDn = `cn=medley,${base}`;
const servicePassword = 'service-password';

export interface DirectoryPerson {
  uid: string;
  password: string;
  name: string;
  email?: string;
}

export interface DirectoryLaunch {
  people: readonly DirectoryPerson[];
  /** Name of a group, and the uids of its members. */
  groups?: Record<string, readonly string[]>;
  /** Name of a group, and the groups that are its members. */
  subgroups?: Record<string, readonly string[]>;
}

/** A real LDAP server (slapd) in a process of its own, with StartTLS and ldaps by a certificate authority of its own. */
export class DirectoryServer {
  readonly #directory = temporaryDirectory('directory-server');
  readonly certificates: Certificates = makeCertificates(this.#directory.path);
  #child: Child | undefined;

  private constructor(
    readonly port: number,
    readonly tlsPort: number,
  ) {}

  static async start(launch: DirectoryLaunch): Promise<DirectoryServer> {
    const server = new DirectoryServer(await freePort(), await freePort());
    server.#configure();
    server.#load(launch);
    await server.start();
    return server;
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }

  /** What Medley is told of this directory: StartTLS, checked against the directory's own authority. */
  get serverEnv(): Record<string, string> {
    return {
      MEDLEY_LDAP_URL: this.url,
      MEDLEY_LDAP_START_TLS: 'true',
      MEDLEY_LDAP_CA_FILE: this.certificates.authority,
      MEDLEY_LDAP_BIND_DN: serviceDn,
      MEDLEY_LDAP_BIND_PASSWORD: servicePassword,
      MEDLEY_LDAP_BASE_DN: people,
      MEDLEY_LDAP_GROUP_BASE_DN: groupsBase,
      MEDLEY_LDAP_TIMEOUT_SECONDS: '2',
      MEDLEY_LDAP_DISPLAY_NAME: 'Test directory',
    };
  }

  /** Starts it, or starts it again on the same port with its data after `stop`. */
  async start(): Promise<void> {
    const urls = `ldap://127.0.0.1:${this.port}/ ldaps://127.0.0.1:${this.tlsPort}/`;
    const argv = diesWithParent('SIGKILL', [slapd(), '-h', urls, '-f', this.#file('slapd.conf'), '-d', 'stats']);
    this.#child = startChild({ name: 'slapd', argv });
    await untilReady(this.#child, () => accepts(this.port));
  }

  async stop(): Promise<void> {
    await this.#child?.stop({ graceMs: 2_000 });
  }

  /** SIGSTOP: connections are accepted by the kernel, and nobody answers. */
  freeze(): void {
    this.#child?.signal('SIGSTOP');
  }

  thaw(): void {
    this.#child?.signal('SIGCONT');
  }

  /** Every operation since the last start, as slapd logs them. */
  get log(): string {
    return this.#child?.output ?? '';
  }

  /** Ends it and removes its data. */
  async remove(): Promise<void> {
    await this.stop();
    this.#directory.remove();
  }

  #file(name: string): string {
    return join(this.#directory.path, name);
  }

  #configure(): void {
    mkdirSync(this.#file('data'));
    const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`);
    const { authority, certificate, key } = this.certificates;
    const lines = [
      ...schemas,
      'modulepath /usr/lib/ldap',
      'moduleload back_mdb',
      `pidfile ${this.#file('slapd.pid')}`,
      `TLSCACertificateFile ${authority}`,
      `TLSCertificateFile ${certificate}`,
      `TLSCertificateKeyFile ${key}`,
      // As Active Directory does: a bind with a name and an empty password succeeds, so that whoever forgets to refuse it is found out.
      'allow bind_anon_cred',
      'database mdb',
      `suffix "${base}"`,
      `directory ${this.#file('data')}`,
      // A password may be tried by anyone and read by nobody; the rest is for those who have signed in.
      'access to attrs=userPassword by anonymous auth by * none',
      'access to * by users read by * none',
    ];
    writeFileSync(this.#file('slapd.conf'), `${lines.join('\n')}\n`);
  }

  #load({ people: persons, groups = {}, subgroups = {} }: DirectoryLaunch): void {
    const entry = (dn: string, attributes: Record<string, string | readonly string[] | undefined>) => {
      const values = Object.entries(attributes).flatMap(([name, value]) => [value ?? []].flat().map((each) => ldifLine(name, each)));
      return [ldifLine('dn', dn), ...values].join('\n');
    };
    const entries = [
      entry(base, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' }),
      entry(people, { objectClass: 'organizationalUnit', ou: 'people' }),
      entry(groupsBase, { objectClass: 'organizationalUnit', ou: 'groups' }),
      entry(serviceDn, { objectClass: ['organizationalRole', 'simpleSecurityObject'], cn: 'medley', userPassword: servicePassword }),
      ...persons.map(({ uid, password, name, email }) =>
        entry(personDn(uid), { objectClass: 'inetOrgPerson', uid, cn: name, sn: name, mail: email, userPassword: password }),
      ),
      ...[...new Set([...Object.keys(groups), ...Object.keys(subgroups)])].map((cn) =>
        entry(groupDn(cn), {
          objectClass: 'groupOfNames',
          cn,
          member: [...(groups[cn] ?? []).map(personDn), ...(subgroups[cn] ?? []).map(groupDn)],
        }),
      ),
    ];
    writeFileSync(this.#file('data.ldif'), `${entries.join('\n\n')}\n`);
    execFileSync(slapadd(), ['-f', this.#file('slapd.conf'), '-l', this.#file('data.ldif')], { stdio: ['ignore', 'ignore', 'pipe'] });
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** Base64, so that any text may stand in a value. */
function ldifLine(name: string, value: string): string {
  return `${name}:: ${Buffer.from(value).toString('base64')}`;
}

/** A uid may hold what separates parts of a DN; hex pairs are its escape for every byte. */
function groupDn(cn: string): string {
  return `cn=${cn},${groupsBase}`;
}

function personDn(uid: string): string {
  const escaped = uid.replace(/[^A-Za-z0-9-]/g, (letter) =>
    [...Buffer.from(letter)].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  return `uid=${escaped},${people}`;
}

const slapd = () => program('slapd');
const slapadd = () => program('slapadd');

function program(name: string): string {
  const path = findProgram(name);
  if (path === null) throw new Error(`There is no ${name} on this machine: install the package slapd`);
  return path;
}
