import { PASSWORD_LENGTH_MIN } from '@medley/contracts';
import { AppError } from '@medley/core';

/** Throws password-weak with the field that holds it and every rule that is broken. Length is what counts (NIST SP 800-63B, 5.1.1.2). */
export function requireGoodPassword(password: string, userName: string, path = 'password'): void {
  const faults = passwordFaults(password, userName);
  if (faults.length === 0) return;
  const fields = faults.map((message) => ({ path, message }));
  throw new AppError('password-weak', `The password ${faults.join(', and ')}.`, fields);
}

export function passwordFaults(password: string, userName: string): string[] {
  const lower = password.toLowerCase();
  const name = userName.toLowerCase();
  return [
    ...([...password].length < PASSWORD_LENGTH_MIN ? [`has fewer than ${PASSWORD_LENGTH_MIN} characters`] : []),
    ...(name.length >= 3 && lower.includes(name) && lower.replaceAll(name, '').length < PASSWORD_LENGTH_MIN / 2
      ? ['is little more than the name']
      : []),
    ...(new Set(lower).size < 4 ? ['is made of fewer than four different characters'] : []),
  ];
}
