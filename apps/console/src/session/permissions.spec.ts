import { describe, expect, it } from 'vitest';
import { holds } from './permissions.js';

const project = (id: string, permissions: ('run:read' | 'run:operate' | 'member:write')[]) => ({
  id,
  name: id,
  role: 'viewer' as const,
  permissions,
});
const me = {
  isAdmin: false,
  permissions: ['self:read' as const],
  projects: [project('a', ['run:read']), project('b', ['run:read', 'run:operate'])],
};

describe('what somebody may do', () => {
  it('in a project is what the server says of that project', () => {
    expect(holds(me, 'run:operate', 'a')).toBe(false);
    expect(holds(me, 'run:operate', 'b')).toBe(true);
    expect(holds(me, 'run:operate', 'c')).toBe(false);
  });

  it('in a project is found by its name as well', () => {
    const named = { ...me, projects: [{ ...project('id-of-b', ['run:operate']), name: 'b' }] };
    expect(holds(named, 'run:operate', 'b')).toBe(true);
    expect(holds(named, 'run:operate', 'id-of-b')).toBe(true);
    expect(holds(named, 'run:operate', 'c')).toBe(false);
  });

  it('in a project that is not known is everything of projects to a platform administrator, and nothing that the server did not tell', () => {
    const admin = { ...me, isAdmin: true };
    expect(holds(admin, 'workflow:write', 'made-meanwhile')).toBe(true);
    expect(holds(admin, 'node:write', 'made-meanwhile')).toBe(false);
    expect(holds({ ...me, isAdmin: false }, 'workflow:write', 'made-meanwhile')).toBe(false);
  });

  it('without a project named is what it may do in any, or outside them', () => {
    expect(holds(me, 'run:operate')).toBe(true);
    expect(holds(me, 'member:write')).toBe(false);
    expect(holds(me, 'self:read')).toBe(true);
    expect(holds(me, 'user:read')).toBe(false);
  });
});
