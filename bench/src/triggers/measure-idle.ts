import { setTimeout as delay } from 'node:timers/promises';
import { query, type Stack } from '@medley/testing';
import { insertSchedules } from './insert-schedules.js';
import { cpuSecondsOfTree } from './process-cpu.js';

const DAY_SECONDS = 86_400;
const SETTLE_MS = 10_000;

/** Shares of one core over a time in which nothing was due, nothing subtracted. */
export interface IdleCpu {
  seconds: number;
  serversPercent: number;
  postgresPercent: number;
}

/** CPU time of all servers and of Postgres with its backends while nothing is due. */
export async function measureIdle(stack: Stack, seconds: number): Promise<IdleCpu> {
  // What a database does after many writes anyway is done before the measurement, not during it.
  await query(stack.databaseUrl, 'vacuum analyze');
  await query(stack.databaseUrl, 'checkpoint');
  await delay(SETTLE_MS);
  const servers = () => stack.servers.reduce((sum, server) => sum + cpuSecondsOfTree(server.pid), 0);
  const before = { atMs: performance.now(), servers: servers(), postgres: cpuSecondsOfTree(stack.postgres.pid) };
  await delay(seconds * 1000);
  const passed = (performance.now() - before.atMs) / 1000;
  const percent = (used: number) => (used / passed) * 100;
  return {
    seconds: passed,
    serversPercent: percent(servers() - before.servers),
    postgresPercent: percent(cpuSecondsOfTree(stack.postgres.pid) - before.postgres),
  };
}

/** Disables what the tick has left, so that the baseline is of the same database with no schedule to look after. */
export async function disableSchedules(stack: Stack): Promise<void> {
  await query(stack.databaseUrl, 'update schedules set enabled = false, next_fire_at = null');
}

/** Stores so many enabled schedules, the first of which is due in a day. */
export async function addIdleSchedules(stack: Stack, workflowId: string, count: number): Promise<void> {
  const at = new Date(Date.now() + DAY_SECONDS * 1000);
  const rules = [{ cron: '0 3 * * *', zone: 'UTC' }];
  await insertSchedules(stack.databaseUrl, { workflowId, prefix: 'idle-', count, rules, at, spreadSeconds: DAY_SECONDS });
}
