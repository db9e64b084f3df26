/** SQLSTATE classes and codes that say "not now": connection lost, shutting down, starting up, too many connections, cancelled by a timeout. */
const UNAVAILABLE_STATES = /^(08...|57P0[1-5]|57014|53300|53400|25P03)$/;
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const DRIVER_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout|not queryable|Client was closed|server closed the connection/i;

interface Fault {
  code?: unknown;
  message?: unknown;
  driverError?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/** True when the database could not be reached or gave up on the statement, so that the same call may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, driverError, cause, errors } = error as Fault;
  if (typeof code === 'string' && (NETWORK_CODES.has(code) || UNAVAILABLE_STATES.test(code))) return true;
  if (typeof message === 'string' && DRIVER_MESSAGES.test(message)) return true;
  const inner = [driverError, cause, ...(Array.isArray(errors) ? errors : [])];
  return inner.some((one) => one !== error && isDatabaseUnavailable(one));
}

/** True when a row with this unique key is there already. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const fault = ((error as Fault)?.driverError ?? error) as { code?: string; constraint?: string } | null;
  return fault?.code === '23505' && (constraint === undefined || fault.constraint === constraint);
}
