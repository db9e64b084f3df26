import { PASSWORD_LENGTH_MIN } from '@medley/contracts';
import { AppError, fieldError, type Phrase, phrase } from '@medley/core';

/** Throws password-weak with the field that holds it and every rule that is broken. Length is what counts (NIST SP 800-63B, 5.1.1.2). */
export function requireGoodPassword(password: string, userName: string, path = 'password'): void {
  const faults = passwordFaults(password, userName);
  if (faults.length === 0) return;
  const fields = faults.map((fault) => fieldError(path, fault));
  throw new AppError(
    'password-weak',
    phrase('password-faults', { faults: faults.reduce((first, second) => phrase('and-also', { first, second })) }),
    fields,
  );
}

export function passwordFaults(password: string, userName: string): Phrase[] {
  const lower = password.toLowerCase();
  const name = userName.toLowerCase();
  return [
    ...([...password].length < PASSWORD_LENGTH_MIN ? [phrase('password-short', { limit: PASSWORD_LENGTH_MIN })] : []),
    ...(name.length >= 3 && lower.includes(name) && lower.replaceAll(name, '').length < PASSWORD_LENGTH_MIN / 2
      ? [phrase('password-like-name')]
      : []),
    ...(new Set(lower).size < 4 ? [phrase('password-monotonous')] : []),
  ];
}
