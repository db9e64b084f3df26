import { homedir, hostname } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { AppError } from '@medley/core';
import { z } from 'zod';

const serverUrls = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part.length > 0),
  )
  .pipe(
    z
      .array(z.url({ protocol: /^https?$/, error: 'each address must be an http:// or https:// URL, several separated by commas' }))
      .min(1, 'name at least one server, e.g. http://127.0.0.1:8080'),
  );

const nodeName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$/, 'use lower-case letters, digits, ".", "_" and "-", at most 64 characters');

/** As PATH is written: with `:` between, on Windows with `;`. */
const directories = z
  .string()
  .transform((text) => text.split(delimiter).filter((part) => part !== ''))
  .pipe(z.array(z.string().refine((part) => isAbsolute(part), `name whole paths of directories, with "${delimiter}" between`)));

/** Everything the agent reads from its environment; units are in the names. */
const environmentSchema = z.object({
  MEDLEY_SERVER_URL: serverUrls,
  MEDLEY_JOIN_TOKEN: z
    .string()
    .trim()
    .min(1, 'is empty; take a join token from the console, or unset it when the agent has joined before')
    .optional(),
  MEDLEY_AGENT_NAME: nodeName.optional(),
  MEDLEY_AGENT_HOME: z.string().min(1).optional(),
  MEDLEY_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  MEDLEY_MAX_RUNNING: z.coerce.number().int().min(1).max(100_000).default(1000),
  MEDLEY_DISK_FREE_MIN_MIB: z.coerce.number().min(0).default(64),
  MEDLEY_AGENT_WATCH_PATHS: directories.default([]),
  MEDLEY_HOME: z.string().min(1).optional(),
  MEDLEY_AGENT_CPU_SHARE: z.coerce.number('use a number from 1 to 100, in % of one core').min(1).max(100).optional(),
});

export interface AgentConfig {
  serverUrls: string[];
  joinToken: string | null;
  name: string;
  home: string;
  logLevel: string;
  /** Attempts this agent holds at once; dispatches beyond it wait unclaimed. */
  maxRunning: number;
  /** Below this much free space logs are dropped, so that state reports still fit. */
  diskFreeMinMib: number;
  /** Directories within which it tells of files that tasks wait for. */
  watchPaths: string[];
  /** `MEDLEY_HOME` of the installation, handed on to attempts so that leftovers can be found by it; null when unset. */
  installation: string | null;
  /** What all attempts together may use, in % of one core, kept by stopping and continuing them; null for no throttle. */
  cpuSharePercent: number | null;
  /** The agent's own environment, of which attempts get a few variables. */
  environment: NodeJS.ProcessEnv;
}

/** Host name as a node name: lower case, foreign characters replaced. */
export function nodeNameOf(host: string): string {
  const cleaned = host
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '-')
    .slice(0, 64)
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  return cleaned.length > 0 ? cleaned : 'node';
}

/** Parses the environment once; throws `validation-failed` with every fault in `fields`. */
export function parseConfig(environment: NodeJS.ProcessEnv): AgentConfig {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const fields = parsed.error.issues.map((issue) => ({ path: String(issue.path[0] ?? ''), message: issue.message }));
    const detail = fields.map((field) => `${field.path}: ${field.message}`).join('; ');
    throw new AppError('validation-failed', `The agent's environment has ${fields.length} fault(s): ${detail}`, fields);
  }
  const name = parsed.data.MEDLEY_AGENT_NAME ?? nodeNameOf(hostname());
  return {
    serverUrls: parsed.data.MEDLEY_SERVER_URL,
    joinToken: parsed.data.MEDLEY_JOIN_TOKEN ?? null,
    name,
    home: resolve(parsed.data.MEDLEY_AGENT_HOME ?? join(homedir(), '.medley', 'agents', name)),
    logLevel: parsed.data.MEDLEY_LOG_LEVEL,
    maxRunning: parsed.data.MEDLEY_MAX_RUNNING,
    diskFreeMinMib: parsed.data.MEDLEY_DISK_FREE_MIN_MIB,
    watchPaths: parsed.data.MEDLEY_AGENT_WATCH_PATHS,
    installation: parsed.data.MEDLEY_HOME ?? null,
    cpuSharePercent: parsed.data.MEDLEY_AGENT_CPU_SHARE ?? null,
    environment,
  };
}
