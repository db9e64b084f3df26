import { createHash } from 'node:crypto';
import { AppError, phrase } from '@medley/core';
import type { Sql } from '@medley/database';

const WINDOW_SECONDS = 300;
const PER_ACCOUNT = 10;
const PER_ADDRESS = 30;

/** What failures are counted by. Every name can be locked, whether or not there is such a user. */
export interface SignInTry {
  name: string;
  address: string;
}

/**
 * Counts a try before its password is looked at, so that guesses sent side by side, to whichever server, are all counted. Throws too-many-requests when the
 * account or the address has used its failures up; five minutes after the last one counted it is free again.
 */
export async function countTry(sql: Sql, { name, address }: SignInTry): Promise<void> {
  const account = await count(sql, accountKey(name), PER_ACCOUNT);
  const fromAddress = account > PER_ACCOUNT ? 0 : await count(sql, addressKey(address), PER_ADDRESS);
  if (account > PER_ACCOUNT || fromAddress > PER_ADDRESS) {
    throw new AppError('too-many-requests', phrase('too-many-sign-ins'));
  }
}

/** The try was none of a guesser: the account begins anew, and the address gets it back. */
export async function forgiveTry(sql: Sql, { name, address }: SignInTry): Promise<void> {
  await forgetFailures(sql, name);
  await sql.query('update sign_in_failures set failures = failures - 1 where key = $1 and failures > 0', [addressKey(address)]);
  await sql.query(
    `delete from sign_in_failures where key in (
       select key from sign_in_failures where last_at < clock_timestamp() - interval '1 hour' limit 100 for update skip locked)`,
  );
}

/** The try says nothing about who made it: account and address get it back. */
export async function withdrawTry(sql: Sql, { name, address }: SignInTry): Promise<void> {
  await sql.query('update sign_in_failures set failures = failures - 1 where key = any($1::bytea[]) and failures > 0', [
    [accountKey(name), addressKey(address)],
  ]);
}

/** Unlocks an account. */
export async function forgetFailures(sql: Sql, name: string): Promise<void> {
  await sql.query('delete from sign_in_failures where key = $1', [accountKey(name)]);
}

/** Until when each of these names is locked; names that are not are left out. */
export async function lockedAccounts(sql: Sql, names: readonly string[]): Promise<Map<string, Date>> {
  const rows = await sql.query<{ position: number; until: Date }>(
    `select k.position::int as position, f.last_at + make_interval(secs => $3) as until
     from unnest($1::bytea[]) with ordinality as k(key, position) join sign_in_failures f on f.key = k.key
     where f.failures >= $2 and f.last_at > clock_timestamp() - make_interval(secs => $3)`,
    [names.map(accountKey), PER_ACCOUNT, WINDOW_SECONDS],
  );
  return new Map(rows.map(({ position, until }) => [names[position - 1]!, until]));
}

/** How many failures there are now, this one included; one above the limit for as long as the lock lasts. */
async function count(sql: Sql, key: Buffer, limit: number): Promise<number> {
  const [row] = await sql.query<{ failures: number }>(
    `insert into sign_in_failures as f (key, failures, first_at, last_at) values ($1, 1, clock_timestamp(), clock_timestamp())
     on conflict (key) do update set
       failures = case when f.last_at < clock_timestamp() - make_interval(secs => $3) then 1 else least(f.failures, $2) + 1 end,
       first_at = case when f.last_at < clock_timestamp() - make_interval(secs => $3) then clock_timestamp() else f.first_at end,
       last_at = case when f.failures >= $2 and f.last_at >= clock_timestamp() - make_interval(secs => $3) then f.last_at else clock_timestamp() end
     returning failures`,
    [key, limit, WINDOW_SECONDS],
  );
  return row!.failures;
}

function accountKey(name: string): Buffer {
  return digest(`account ${name.toLowerCase()}`);
}

function addressKey(address: string): Buffer {
  return digest(`address ${address}`);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
