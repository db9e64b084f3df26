/** Stands in place of what nobody may read. */
export const MASK = '•••';

const SECRET_NAME = /passw|secret|token|credential|private.?key|api.?key|access.?key|authori[sz]ation|cookie|hash/i;
/** What Medley itself gives out, wherever it stands. */
const SECRET_VALUE = /medley_[a-z]+_[A-Za-z0-9_-]{16,}/g;
/** A password in the address of a database or another system. */
const PASSWORD_IN_URL = /(\w+:\/\/[^\s:/@]*:)[^\s@/]+@/g;

/** Without what is secret: everything under a name that says so (flags stay), tokens of Medley and passwords in URLs. */
export function maskSecrets(value: unknown, name = ''): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (SECRET_NAME.test(name)) return MASK;
  if (typeof value === 'string') return value.replace(SECRET_VALUE, MASK).replace(PASSWORD_IN_URL, `$1${MASK}@`);
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item));
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskSecrets(inner, key)]));
  return value;
}
