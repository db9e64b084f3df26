/** Whether a status counts as success; without a list every 2xx does. */
export function isExpectedStatus(status: number, expected: readonly number[]): boolean {
  return expected.length > 0 ? expected.includes(status) : status >= 200 && status < 300;
}

/** The cause behind fetch's "fetch failed", as a person would say it. */
export function describeNetworkError(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) {
    return String(cause);
  }
  const code = (cause as NodeJS.ErrnoException).code;
  return code !== undefined && !cause.message.includes(code) ? `${code} ${cause.message}`.trim() : cause.message || cause.name;
}

/** An address as it may stand in a log: without query and user information, where tokens like to be. */
export function addressOf(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return origin + pathname;
  } catch {
    return 'an invalid address';
  }
}
