import { rm, writeFile } from 'node:fs/promises';
import { createJoinTokenSchema } from '@medley/contracts';
import { inTransaction, type Sql, uuidv7 } from '@medley/database';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { hashPassword } from '../access/passwords/passwords.js';
import { insertJoinToken } from '../access/tokens/join-tokens.service.js';
import { generatePassword } from '../access/tokens/secrets.js';
import { ServerConfig } from '../config.js';
import { admitStarter } from './start-token.js';

const BOOTSTRAP_LOCK = 7_236_002;
const ADMIN_NAME = 'admin';

/** What a new installation hands its operator, once. */
export interface FirstCredentials {
  adminName: string;
  adminPassword: string;
  joinToken: string;
}

/** At the first start: the project and the pool `default`, and an administrator with a generated password. At each: the token of who started it. */
@Injectable()
export class BootstrapService implements OnModuleInit {
  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(ServerConfig) private readonly config: ServerConfig,
  ) {}

  async onModuleInit(): Promise<void> {
    const { bootstrapFile, startTokenHash } = this.config;
    const created = await inTransaction(this.source, async (sql) => {
      await sql.query('select pg_advisory_xact_lock($1)', [BOOTSTRAP_LOCK]);
      const credentials = await createFirstThings(sql);
      if (startTokenHash) await admitStarter(sql, startTokenHash);
      // Before the commit: a password that could not be handed over must not be in force.
      if (credentials && bootstrapFile) await handOver(bootstrapFile, credentials);
      return credentials;
    });
    if (created && !bootstrapFile) print(created);
  }
}

async function createFirstThings(sql: Sql): Promise<FirstCredentials | null> {
  const policy = JSON.stringify({ selector: 'resource-pick-kx', k: 1 });
  // What was removed keeps its row: a project or pool that an operator has removed or renamed does not come back.
  await sql.query(`insert into projects (id, name) select $1, 'default' where not exists (select 1 from projects)`, [uuidv7()]);
  await sql.query(`insert into pools (id, name, policy) select $1, 'default', $2 where not exists (select 1 from pools)`, [
    uuidv7(),
    policy,
  ]);
  const users = await sql.query('select 1 from users limit 1');
  if (users.length > 0) return null;
  const userId = uuidv7();
  const adminPassword = generatePassword();
  await sql.query('insert into users (id, name, password_hash, is_admin) values ($1, $2, $3, true)', [
    userId,
    ADMIN_NAME,
    await hashPassword(adminPassword),
  ]);
  const joinToken = await insertJoinToken(sql, createJoinTokenSchema.parse({ maxUses: 100 }), userId);
  return { adminName: ADMIN_NAME, adminPassword, joinToken: joinToken.token };
}

/** A new file, since the mode of one that exists would stay as it is. */
async function handOver(path: string, credentials: FirstCredentials): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, `${JSON.stringify(credentials)}\n`, { mode: 0o600, flag: 'wx' });
}

function print({ adminName, adminPassword, joinToken }: FirstCredentials): void {
  process.stdout.write(
    `\nMedley was set up. These are shown only once:\n  user      ${adminName}\n  password  ${adminPassword}\n  join token for agents (24 hours): ${joinToken}\n\n`,
  );
}
