import { isUtf8 } from 'node:buffer';
import { AppError, phrase } from '@medley/core';
import { Inject, Injectable } from '@nestjs/common';
import { BusyError, type Client, type Entry, Filter, ResultCodeError, UnavailableError } from 'ldapts';
import type { Logger } from 'pino';
import { ServerConfig } from '../../config.js';
import { LOGGER } from '../../logging/logger.js';
import type { ExternalIdentity, PasswordDirectory } from '../sign-in/external-identity.js';
import type { LdapConfig } from './ldap.config.js';
import { withLdapConnection } from './ldap-connection.js';

/** Groups within groups beyond this are not followed. */
const DEEPEST_NESTING = 10;

interface Person {
  dn: string;
  identity: ExternalIdentity;
}

/** Signs people in by a bind with what they typed: the server searches the person as itself, then tries the password as the person. */
@Injectable()
export class LdapDirectory implements PasswordDirectory {
  private readonly config: LdapConfig | null;

  constructor(
    @Inject(ServerConfig) config: ServerConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.config = config.ldap;
  }

  /**
   * Who signs in with this name and password; null when the directory knows no such person or refuses the password. Throws `directory-unavailable`
   * when it cannot be asked.
   */
  async authenticate(name: string, password: string): Promise<ExternalIdentity | null> {
    // A bind with a name and no password succeeds: RFC 4513 calls it unauthenticated, and it proves nothing.
    if (this.config === null || name === '' || password === '') return null;
    try {
      const person = await this.find(this.config, name);
      if (person === null || !(await accepts(this.config, person.dn, password))) return null;
      return person.identity;
    } catch (error) {
      if (error instanceof AppError) throw error;
      this.logger.warn({ err: error, directory: this.config.url }, 'the directory cannot be asked');
      throw new AppError('directory-unavailable', phrase('local-users-may-sign-in'), undefined, {
        cause: error,
      });
    }
  }

  private find(config: LdapConfig, name: string): Promise<Person | null> {
    return withLdapConnection(config, async (client) => {
      if (config.service) await client.bind(config.service.dn, config.service.password);
      const entry = await this.findEntry(config, client, name);
      if (entry === null) return null;
      const { attributes } = config;
      const subject = textOf(entry, attributes.subject);
      const userName = textOf(entry, attributes.name);
      if (subject === null || userName === null) {
        throw new Error(`the entry ${entry.dn} has no ${subject === null ? attributes.subject : attributes.name}`);
      }
      const displayName = textOf(entry, attributes.displayName);
      const email = textOf(entry, attributes.email);
      const groups = await groupsOf(config, client, entry.dn, userName);
      return { dn: entry.dn, identity: { source: 'ldap', issuer: null, subject, userName, displayName, email, groups } };
    });
  }

  private async findEntry(config: LdapConfig, client: Client, name: string): Promise<Entry | null> {
    const { subject, name: nameAttribute, displayName, email } = config.attributes;
    const { searchEntries } = await client.search(config.baseDn, {
      scope: 'sub',
      filter: filled(config.userFilter, { name }),
      attributes: [...new Set([subject, nameAttribute, displayName, email])],
      explicitBufferAttributes: [subject],
      sizeLimit: 2,
    });
    const [entry, another] = searchEntries;
    if (another === undefined) return entry ?? null;
    this.logger.warn(
      { found: searchEntries.map(({ dn }) => dn) },
      'several entries of the directory answer to one name, so none may sign in by it',
    );
    return null;
  }
}

/** Whether the directory takes the password. What it says about the account (locked, expired) is a refusal too. */
function accepts(config: LdapConfig, dn: string, password: string): Promise<boolean> {
  return withLdapConnection(config, async (client) => {
    try {
      await client.bind(dn, password);
      return true;
    } catch (error) {
      if (!(error instanceof ResultCodeError) || error instanceof BusyError || error instanceof UnavailableError) throw error;
      return false;
    }
  });
}

/** The person's groups, and those that these are members of, level by level; groups that hold each other end it, since each is asked about once. */
async function groupsOf({ groups }: LdapConfig, client: Client, dn: string, name: string): Promise<string[] | null> {
  if (groups === null) return null;
  const found = new Map<string, Entry>();
  const search = async (filter: string): Promise<Entry[]> => {
    const { searchEntries } = await client.search(groups.baseDn, {
      scope: 'sub',
      filter,
      attributes: [groups.attribute === 'dn' ? '1.1' : groups.attribute],
      paged: { pageSize: 500 },
    });
    const fresh = searchEntries.filter((entry) => !found.has(entry.dn));
    for (const entry of fresh) found.set(entry.dn, entry);
    return fresh;
  };
  let level = await search(filled(groups.filter, { dn, name }));
  // A filter by the person's name alone says nothing about members that are groups.
  for (let depth = 0; groups.areNested && groups.filter.includes('{dn}') && level.length > 0 && depth < DEEPEST_NESTING; depth += 1) {
    const holders = level.map((entry) => filled(groups.filter, { dn: entry.dn, name: entry.dn }));
    level = await search(holders.length === 1 ? holders[0]! : `(|${holders.join('')})`);
  }
  const nameOf = (entry: Entry) => (groups.attribute === 'dn' ? entry.dn : textOf(entry, groups.attribute));
  return [...found.values()].map(nameOf).filter((name) => name !== null);
}

/** Puts values into a filter, escaped by RFC 4515 so that none can change what is asked. */
function filled(filter: string, values: Record<string, string>): string {
  return filter.replace(/\{(dn|name)\}/g, (whole, key: string) => (values[key] === undefined ? whole : Filter.escape(values[key])));
}

/** The first value of an attribute; bytes that are no text (Active Directory's objectGUID) as hexadecimal digits. */
function textOf(entry: Entry, attribute: string): string | null {
  const key = Object.keys(entry).find((name) => name.toLowerCase() === attribute.toLowerCase());
  const value = [key === undefined ? [] : entry[key]!].flat()[0];
  if (value === undefined || value.length === 0) return null;
  if (typeof value === 'string') return value;
  return attribute.toLowerCase() !== 'objectguid' && isUtf8(value) ? value.toString('utf8') : value.toString('hex');
}
