import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accessColumns, isProjectPermission, leastRoleFor, permissions, permissionTable } from './permissions.js';
import { projectRoles, tokenScopes } from './roles.js';

const page = readFileSync(new URL('../../../../docs/access.md', import.meta.url), 'utf8');

/** Rows of the table in docs/access.md: | `permission` | yes or nothing per column … | scope | */
const documented = page
  .split('\n')
  .map((line) => /^\| `([a-z-]+:[a-z]+)` +\|(.+)\|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, permission, cells]) => [permission!, cells!.split('|').map((cell) => cell.trim())] as const);

describe('the table of permissions', () => {
  it('says yes or no for every permission in every column, and which scope passes it on', () => {
    for (const permission of permissions) {
      const row = permissionTable[permission];
      expect(Object.keys(row).toSorted(), permission).toEqual([...accessColumns, 'scope'].toSorted());
      for (const column of accessColumns) expect(typeof row[column], `${permission} ${column}`).toBe('boolean');
      expect(tokenScopes, permission).toContain(row.scope);
    }
  });

  it('gives each role everything that the one before it has, and a platform administrator all', () => {
    for (const permission of permissions) {
      const row = permissionTable[permission];
      const given = accessColumns.map((column) => row[column]);
      expect(given, permission).toEqual(given.toSorted((left, right) => Number(left) - Number(right)));
      expect(row['platform-admin'], permission).toBe(true);
    }
  });

  it('has for each role of a project something that the one before it lacks', () => {
    expect(new Set(permissions.map(leastRoleFor).filter((role) => role !== null))).toEqual(new Set(projectRoles));
  });

  it('passes reading on by the least scope, and no change by it', () => {
    for (const permission of permissions) {
      const [subject, verb] = permission.split(':');
      const isOfAccess = ['user', 'group', 'join-token'].includes(subject!);
      const harmless = verb === 'read' || verb === 'check';
      expect(permissionTable[permission].scope === 'read', permission).toBe(harmless && !isOfAccess);
    }
  });

  it('tells permissions of a project from those of the platform', () => {
    expect(isProjectPermission('run:operate')).toBe(true);
    expect(isProjectPermission('self:read')).toBe(false);
    expect(isProjectPermission('user:write')).toBe(false);
  });

  it('is documented as it is', () => {
    const expected = permissions.map((permission) => {
      const row = permissionTable[permission];
      return [permission, [...accessColumns.map((column) => (row[column] ? 'yes' : '')), row.scope]];
    });
    expect(documented).toEqual(expected);
  });
});
