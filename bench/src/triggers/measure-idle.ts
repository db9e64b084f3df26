import { setTimeout as delay } from 'node:timers/promises';
import { query, type Stack } from '@medley/testing';
import { insertSchedules } from './insert-schedules.js';
import { cpuSecondsOfTree } from './process-cpu.js';

const DAY_SECONDS = 86_400;

export interface IdleCpu {
  idleSchedules: number;
  seconds: number;
  /** Shares of one core over that time. */
  serversPercent: number;
  postgresPercent: number;
}

/** What so many enabled schedules cost while none of them is due: CPU time of all servers and of Postgres with its backends, nothing subtracted. */
export async function measureIdle(stack: Stack, workflowId: string, count: number, seconds: number): Promise<IdleCpu> {
  const at = new Date(Date.now() + DAY_SECONDS * 1000);
  await insertSchedules(stack.databaseUrl, {
    workflowId,
    prefix: 'idle-',
    count,
    rules: [{ cron: '0 3 * * *', zone: 'UTC' }],
    at,
    spreadSeconds: DAY_SECONDS,
  });
  // What a database does after so many writes anyway is done before the measurement, not during it.
  await query(stack.databaseUrl, 'vacuum analyze');
  await query(stack.databaseUrl, 'checkpoint');
  await delay(10_000);
  const servers = () => stack.servers.reduce((sum, server) => sum + cpuSecondsOfTree(server.pid), 0);
  const before = { atMs: performance.now(), servers: servers(), postgres: cpuSecondsOfTree(stack.postgres.pid) };
  await delay(seconds * 1000);
  const passed = (performance.now() - before.atMs) / 1000;
  const percent = (used: number) => (used / passed) * 100;
  return {
    idleSchedules: count,
    seconds: passed,
    serversPercent: percent(servers() - before.servers),
    postgresPercent: percent(cpuSecondsOfTree(stack.postgres.pid) - before.postgres),
  };
}
