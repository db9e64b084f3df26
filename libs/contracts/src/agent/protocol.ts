/** Versions of the agent protocol this build speaks; a server accepts the current one and those before that it can serve. */
export const AGENT_PROTOCOL = { min: 1, max: 4 } as const;

/** From this version on an agent keeps prefetched attempts until there is room for them. */
export const PREFETCH_PROTOCOL = 2;

/** From this version on an agent masks the secrets of a claim in what the task prints. */
export const SECRETS_PROTOCOL = 3;

/** From this version on an agent looks for files that tasks wait for. */
export const WATCH_PROTOCOL = 4;

/** From this version on an agent keeps and fetches working files. */
export const FILES_PROTOCOL = 4;

/** Where the agent API is mounted on every server. */
export const AGENT_API_PREFIX = '/agent/v1';

/** Highest protocol both sides speak, or null when the ranges do not meet. */
export function agreeOnProtocol(ours: { min: number; max: number }, theirs: { min: number; max: number }): number | null {
  const highest = Math.min(ours.max, theirs.max);
  return highest >= Math.max(ours.min, theirs.min) ? highest : null;
}
