import { z } from 'zod';
import { checkLdap, type LdapConfig, ldapConfigOf, ldapEnvironment } from './access/ldap/ldap.config.js';
import { checkOidc, type OidcConfig, oidcConfigOf, oidcEnvironment } from './access/oidc/oidc.config.js';
import { type BlobStoreConfig, blobStoreConfigOf, blobStoreFaults, blobStoreSettings } from './blobs/blob-store-config.js';
import { secretKeysSetting } from './secrets/secret-keys.config.js';
import { type ProbeAddresses, probeAddressKinds } from './watches/probe-addresses.js';

const port = z.coerce.number().int().min(0).max(65535);
const seconds = z.coerce.number().positive().max(86_400);
const flag = z.stringbool();

const environmentSchema = z.object({
  MEDLEY_DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'a URL that begins with postgres:// or postgresql://'),
  MEDLEY_DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(12),
  MEDLEY_REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'a URL that begins with redis:// or rediss://')
    .optional(),
  MEDLEY_REDIS_AGENT_HOST: z.string().optional(),
  MEDLEY_REDIS_AGENT_PORT: port.optional(),
  MEDLEY_HOST: z.string().default('127.0.0.1'),
  MEDLEY_PORT: port.default(8080),
  MEDLEY_TRUST_PROXY: flag.default(false),
  MEDLEY_CONSOLE_DIR: z.string().optional(),
  MEDLEY_AGENT_BUNDLE: z.string().optional(),
  MEDLEY_LEASE_SECONDS: seconds.default(60),
  MEDLEY_HEARTBEAT_SECONDS: seconds.default(5),
  MEDLEY_UNREACHABLE_SECONDS: seconds.default(30),
  MEDLEY_RELAY_RESEND_SECONDS: seconds.default(10),
  MEDLEY_RELAY_MAX_SENDS: z.coerce.number().int().min(1).max(1000).default(6),
  MEDLEY_PLACEMENT_HISTORY_DAYS: z.coerce.number().int().min(1).max(3650).default(14),
  MEDLEY_LOG_ARCHIVE_AFTER_HOURS: z.coerce.number().min(0).max(8760).default(24),
  MEDLEY_LOG_RETENTION_DAYS: z.coerce.number().positive().max(36_500).default(90),
  MEDLEY_RUN_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).optional(),
  MEDLEY_AUDIT_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(730),
  ...blobStoreSettings,
  MEDLEY_PROBE_ADDRESSES: z.enum(probeAddressKinds).default('private'),
  MEDLEY_SECRET_KEYS: secretKeysSetting,
  MEDLEY_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MEDLEY_BOOTSTRAP_FILE: z.string().optional(),
  MEDLEY_INSTANCE: z.string().max(100).optional(),
  MEDLEY_START_TOKEN_SHA256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of a token in 64 lower-case hexadecimal digits')
    .optional(),
  ...oidcEnvironment,
  ...ldapEnvironment,
});

const consistentSchema = environmentSchema.superRefine((env, context) => {
  const order = (smaller: keyof typeof env, larger: keyof typeof env) => {
    if (Number(env[smaller]) < Number(env[larger])) return;
    context.addIssue({ code: 'custom', path: [smaller], message: `must be less than ${larger} (${env[larger]})` });
  };
  order('MEDLEY_HEARTBEAT_SECONDS', 'MEDLEY_UNREACHABLE_SECONDS');
  order('MEDLEY_UNREACHABLE_SECONDS', 'MEDLEY_LEASE_SECONDS');
  if (env.MEDLEY_LOG_ARCHIVE_AFTER_HOURS >= env.MEDLEY_LOG_RETENTION_DAYS * 24) {
    const days = env.MEDLEY_LOG_RETENTION_DAYS;
    context.addIssue({
      code: 'custom',
      path: ['MEDLEY_LOG_ARCHIVE_AFTER_HOURS'],
      message: `must be less than MEDLEY_LOG_RETENTION_DAYS (${days} days = ${days * 24} hours)`,
    });
  }
  const fault = (key: keyof typeof env, message: string) => context.addIssue({ code: 'custom', path: [key], message });
  checkOidc(env, fault);
  checkLdap(env, fault);
});

/** What the server is told by its environment; the fields carry their units. */
export class ServerConfig {
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly redisUrl: string | null;
  /** Where agents reach Redis when that differs from where the server does. */
  readonly redisAgentHost: string | null;
  readonly redisAgentPort: number | null;
  readonly host: string;
  readonly port: number;
  readonly trustProxy: boolean;
  readonly consoleDir: string | null;
  /** File of the packed agent, for machines that join. */
  readonly agentBundle: string | null;
  readonly leaseSeconds: number;
  readonly heartbeatSeconds: number;
  readonly unreachableSeconds: number;
  readonly relayResendSeconds: number;
  readonly relayMaxSends: number;
  /** How long decisions can be explained and replayed. */
  readonly placementHistoryDays: number;
  /** How long after its end an attempt's log moves from Postgres to the blob store, and after which time it is removed. */
  readonly logArchiveAfterHours: number;
  readonly logRetentionDays: number;
  /** How long after its end a run is kept; null for ever. */
  readonly runRetentionDays: number | null;
  /** How long it can be read who changed what. */
  readonly auditRetentionDays: number;
  readonly blobStore: BlobStoreConfig;
  /** Which addresses tasks of `kind: wait-for` may let the server ask. */
  readonly probeAddresses: ProbeAddresses;
  /** The first seals, all open. None: nothing secret can be stored. */
  readonly secretKeys: readonly Buffer[];
  readonly logLevel: string;
  readonly bootstrapFile: string | null;
  /** What `/readyz` answers, so that whoever started this server can tell it from another on the same port. */
  readonly instance: string | null;
  /** SHA-256 of a token by which whoever starts this server may set things up for an hour; null for none. */
  readonly startTokenHash: Buffer | null;
  readonly oidc: OidcConfig | null;
  readonly ldap: LdapConfig | null;

  constructor(env: z.infer<typeof environmentSchema>) {
    this.databaseUrl = env.MEDLEY_DATABASE_URL;
    this.databasePoolSize = env.MEDLEY_DATABASE_POOL_SIZE;
    this.redisUrl = env.MEDLEY_REDIS_URL ?? null;
    this.redisAgentHost = env.MEDLEY_REDIS_AGENT_HOST ?? null;
    this.redisAgentPort = env.MEDLEY_REDIS_AGENT_PORT ?? null;
    this.host = env.MEDLEY_HOST;
    this.port = env.MEDLEY_PORT;
    this.trustProxy = env.MEDLEY_TRUST_PROXY;
    this.consoleDir = env.MEDLEY_CONSOLE_DIR ?? null;
    this.agentBundle = env.MEDLEY_AGENT_BUNDLE ?? null;
    this.leaseSeconds = env.MEDLEY_LEASE_SECONDS;
    this.heartbeatSeconds = env.MEDLEY_HEARTBEAT_SECONDS;
    this.unreachableSeconds = env.MEDLEY_UNREACHABLE_SECONDS;
    this.relayResendSeconds = env.MEDLEY_RELAY_RESEND_SECONDS;
    this.relayMaxSends = env.MEDLEY_RELAY_MAX_SENDS;
    this.placementHistoryDays = env.MEDLEY_PLACEMENT_HISTORY_DAYS;
    this.logArchiveAfterHours = env.MEDLEY_LOG_ARCHIVE_AFTER_HOURS;
    this.logRetentionDays = env.MEDLEY_LOG_RETENTION_DAYS;
    this.runRetentionDays = env.MEDLEY_RUN_RETENTION_DAYS ?? null;
    this.auditRetentionDays = env.MEDLEY_AUDIT_RETENTION_DAYS;
    this.blobStore = blobStoreConfigOf(env);
    this.probeAddresses = env.MEDLEY_PROBE_ADDRESSES;
    this.secretKeys = env.MEDLEY_SECRET_KEYS;
    this.logLevel = env.MEDLEY_LOG_LEVEL;
    this.bootstrapFile = env.MEDLEY_BOOTSTRAP_FILE ?? null;
    this.instance = env.MEDLEY_INSTANCE ?? null;
    this.startTokenHash = env.MEDLEY_START_TOKEN_SHA256 === undefined ? null : Buffer.from(env.MEDLEY_START_TOKEN_SHA256, 'hex');
    this.oidc = oidcConfigOf(env);
    this.ldap = ldapConfigOf(env);
  }
}

/** Every fault of the environment in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Parses the environment once. An empty value counts as absent. Throws a ConfigError that lists every fault. */
export function readServerConfig(environment: Record<string, string | undefined>): ServerConfig {
  const present = Object.fromEntries(Object.entries(environment).filter(([key, value]) => key.startsWith('MEDLEY_') && value !== ''));
  const parsed = consistentSchema.safeParse(present);
  const incomplete = blobStoreFaults(present);
  if (parsed.success && incomplete.length === 0) return new ServerConfig(parsed.data);
  const faults = [...(parsed.error?.issues ?? []), ...incomplete].map(({ path, message }) => {
    const name = path.join('.');
    return `  ${name}: ${present[name] === undefined ? 'is missing' : message}`;
  });
  throw new ConfigError(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.join('\n')}`);
}
