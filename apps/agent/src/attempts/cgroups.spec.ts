import { describe, expect, it } from 'vitest';
import { mountOf, ownCgroup } from './cgroups.js';

const OWN = '9:name=systemd:/\n4:memory:/process/a\n3:cpu,cpuacct:/agents\n0::/slice\n';
const MOUNTS = 'cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu,cpuacct 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0\n';

describe('finding cgroups', () => {
  it('finds the group of a v1 controller, of one mounted with another, and of v2', () => {
    expect([ownCgroup('memory', OWN), ownCgroup('cpu', OWN), ownCgroup('', OWN)]).toEqual(['/process/a', '/agents', '/slice']);
    expect(ownCgroup('freezer', OWN)).toBeNull();
  });

  it('finds where a controller is mounted', () => {
    expect(mountOf('cpu', MOUNTS)).toBe('/sys/fs/cgroup/cpu');
    expect(mountOf('', MOUNTS)).toBe('/sys/fs/cgroup/unified');
    expect(mountOf('memory', MOUNTS)).toBeNull();
  });
});
