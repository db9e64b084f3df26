import type { Sql } from '@medley/database';

/** How long making or dropping a partition may keep others waiting for their locks. */
const LOCK_PATIENCE_MS = 300;
const LOCK_NOT_AVAILABLE = '55P03';

interface Partition {
  parent: string;
  name: string;
  from: string;
  to: string;
  /** Whether rows that belong there may be written at this moment. */
  isCurrent: boolean;
}

/**
 * Makes a partition of a table that has a default one. It is made apart and attached: who reads and writes the other partitions need not wait, as they would for
 * one made in place. For a current one writers wait at the table for the moment of attaching: one that had chosen the default partition before would be refused by
 * the bound it has from then on.
 */
export async function addPartition(sql: Sql, { parent, name, from, to, isCurrent }: Partition): Promise<void> {
  await sql.query(`create table ${name} (like ${parent} including defaults including constraints including indexes)`);
  if (isCurrent) await sql.query(`lock table only ${parent} in share row exclusive mode`);
  await sql.query(`alter table ${parent} attach partition ${name} for values from ('${from}') to ('${to}')`);
}

/** Lets the transaction fail rather than wait long for a lock, with everyone who comes later waiting behind it. */
export async function waitBrieflyForLocks(sql: Sql): Promise<void> {
  await sql.query(`set local lock_timeout = '${LOCK_PATIENCE_MS}ms'`);
}

/** Whether it failed for want of a lock: what it was about is in use, and is left to another time. */
export function isInUse(error: unknown): boolean {
  return (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
}
