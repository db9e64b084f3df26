import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

export interface S3Config {
  /** Null for AWS itself. */
  endpoint: string | null;
  region: string;
  bucket: string;
  /** Null: found by the AWS SDK (instance role, web identity, shared files). */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  pathStyle: boolean;
}

/** Where blobs are kept: a directory of this machine, or a bucket when one is named. */
export interface BlobStoreConfig {
  dataDir: string;
  s3: S3Config | null;
}

const s3Keys = [
  'MEDLEY_S3_ENDPOINT',
  'MEDLEY_S3_REGION',
  'MEDLEY_S3_ACCESS_KEY_ID',
  'MEDLEY_S3_SECRET_ACCESS_KEY',
  'MEDLEY_S3_PATH_STYLE',
] as const;

/** The settings of the blob store; `blobStoreFaults` tells how they must go together. */
export const blobStoreSettings = {
  MEDLEY_DATA_DIR: z.string().optional(),
  MEDLEY_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens')
    .optional(),
  MEDLEY_S3_ENDPOINT: z
    .string()
    .regex(/^https?:\/\/[^/?#]+\/?$/, 'a URL that begins with http:// or https:// and has no path')
    .optional(),
  MEDLEY_S3_REGION: z.string().optional(),
  MEDLEY_S3_ACCESS_KEY_ID: z.string().optional(),
  MEDLEY_S3_SECRET_ACCESS_KEY: z.string().optional(),
  MEDLEY_S3_PATH_STYLE: z.stringbool().optional(),
};

type Settings = { [Key in keyof typeof blobStoreSettings]?: z.infer<(typeof blobStoreSettings)[Key]> };

/** What is missing beside what is set; told together with the faults of single settings. */
export function blobStoreFaults(present: Readonly<Record<string, unknown>>): { path: string[]; message: string }[] {
  const needed = new Map<string, string>();
  const given = s3Keys.find((key) => present[key] !== undefined);
  if (given) needed.set('MEDLEY_S3_BUCKET', given);
  const pair = ['MEDLEY_S3_ACCESS_KEY_ID', 'MEDLEY_S3_SECRET_ACCESS_KEY'] as const;
  for (const [key, other] of [pair, pair.toReversed()]) if (present[key!] !== undefined) needed.set(other!, key!);
  return [...needed].filter(([key]) => present[key] === undefined).map(([key]) => ({ path: [key], message: 'is missing' }));
}

export function blobStoreConfigOf(settings: Settings): BlobStoreConfig {
  const bucket = settings.MEDLEY_S3_BUCKET;
  const accessKeyId = settings.MEDLEY_S3_ACCESS_KEY_ID;
  const secretAccessKey = settings.MEDLEY_S3_SECRET_ACCESS_KEY;
  const endpoint = settings.MEDLEY_S3_ENDPOINT?.replace(/\/$/, '') ?? null;
  return {
    dataDir: settings.MEDLEY_DATA_DIR ?? join(homedir(), '.medley', 'server'),
    s3: bucket
      ? {
          endpoint,
          region: settings.MEDLEY_S3_REGION ?? 'us-east-1',
          bucket,
          credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
          pathStyle: settings.MEDLEY_S3_PATH_STYLE ?? endpoint !== null,
        }
      : null,
  };
}
