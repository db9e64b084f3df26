import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where an agent keeps its things; local disk, readable by its owner only. */
export interface HomePaths {
  home: string;
  attempts: string;
  credential: string;
  lock: string;
  lease: string;
  reserve: string;
  throttle: string;
}

/** Creates the agent's home, mode 0700, and names what lies in it. */
export async function openHome(home: string): Promise<HomePaths> {
  const attempts = join(home, 'attempts');
  await mkdir(attempts, { recursive: true, mode: 0o700 });
  return {
    home,
    attempts,
    credential: join(home, 'credential.json'),
    lock: join(home, 'agent.pid'),
    lease: join(home, 'lease.json'),
    reserve: join(home, 'reserve'),
    throttle: join(home, 'throttle'),
  };
}
