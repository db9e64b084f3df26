import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../phrases/index.js';
import {
  decideInProject,
  decideOnPlatform,
  permissionsInProject,
  permissionsOnPlatform,
  projectsWith,
  type Rights,
} from './decide-access.js';
import { isProjectPermission, permissions, permissionTable } from './permissions.js';
import { projectRoles, strongerRole, tokenScopes } from './roles.js';

const projects = ['a', 'b', 'c'];
const session: fc.Arbitrary<Rights> = fc
  .record({ isPlatformAdmin: fc.boolean(), roles: fc.dictionary(fc.constantFrom(...projects), fc.constantFrom(...projectRoles)) })
  .map(({ isPlatformAdmin, roles }) => ({
    isPlatformAdmin,
    roles: new Map(Object.entries(roles)),
    scopes: tokenScopes,
    existingProjects: null,
    tokenProjectId: null,
  }));
const limits = fc.record({ scopes: fc.subarray([...tokenScopes]), tokenProjectId: fc.constantFrom(null, ...projects) });
const permission = fc.constantFrom(...permissions);
const project = fc.constantFrom(...projects);

describe('a right', () => {
  it('of a token is never more than its user has, nor outside its project', () => {
    fc.assert(
      fc.property(session, limits, permission, project, (user, limit, asked, projectId) => {
        const token = { ...user, ...limit };
        const allowed = decideInProject(token, asked, projectId).allowed;
        expect(allowed && !decideInProject(user, asked, projectId).allowed).toBe(false);
        expect(allowed && limit.tokenProjectId !== null && limit.tokenProjectId !== projectId).toBe(false);
        expect(allowed && limit.scopes.length === 0).toBe(false);
        expect(decideOnPlatform(token, asked).allowed && !decideOnPlatform(user, asked).allowed).toBe(false);
      }),
    );
  });

  it('in a project is what the table says of the role there', () => {
    fc.assert(
      fc.property(session, permission, project, (user, asked, projectId) => {
        const role = user.roles.get(projectId);
        const expected = user.isPlatformAdmin || (role !== undefined && permissionTable[asked][role]);
        expect(decideInProject(user, asked, projectId).allowed).toBe(expected);
      }),
    );
  });

  it('that a project answers with hidden is none that any permission gets further with', () => {
    fc.assert(
      fc.property(session, limits, project, (user, limit, projectId) => {
        const decisions = permissions.map((asked) => decideInProject({ ...user, ...limit }, asked, projectId));
        const hidden = decisions.filter((decision) => !decision.allowed && decision.hidden);
        expect([0, permissions.length]).toContain(hidden.length);
      }),
    );
  });

  it('holds in exactly the projects that lists are limited to', () => {
    fc.assert(
      fc.property(session, limits, permission, (user, limit, asked) => {
        const rights = { ...user, ...limit, existingProjects: projects };
        const listed = projectsWith(rights, asked);
        expect(listed?.toSorted()).toEqual(projects.filter((id) => decideInProject(rights, asked, id).allowed));
      }),
    );
  });

  it('is told to its holder as it is decided', () => {
    fc.assert(
      fc.property(session, limits, project, (user, limit, projectId) => {
        const rights = { ...user, ...limit };
        const told = [...permissionsOnPlatform(rights), ...permissionsInProject(rights, projectId)];
        for (const asked of permissions) {
          const decision = isProjectPermission(asked) ? decideInProject(rights, asked, projectId) : decideOnPlatform(rights, asked);
          expect(told.includes(asked), asked).toBe(decision.allowed);
        }
      }),
    );
  });

  it('that is refused is named, with the role or the scope that gives it', () => {
    const viewer: Rights = {
      isPlatformAdmin: false,
      roles: new Map([['a', 'viewer']]),
      scopes: tokenScopes,
      existingProjects: null,
      tokenProjectId: null,
    };
    const reader: Rights = { ...viewer, roles: new Map([['a', 'admin']]), scopes: ['read'] };
    const reasons = [
      decideInProject(viewer, 'run:operate', 'a'),
      decideInProject(reader, 'workflow:write', 'a'),
      decideOnPlatform(viewer, 'node:write'),
      decideOnPlatform({ ...viewer, isPlatformAdmin: true, tokenProjectId: 'a' }, 'node:write'),
    ].map((decision) => (decision.allowed ? null : inEnglish(decision.reason)));
    expect(reasons).toEqual([
      'This needs the permission run:operate: the role operator of the project gives it, and yours is viewer.',
      'This needs the permission workflow:write: a token needs the scope write for it, and this one has read.',
      'This needs the permission node:write: a platform administrator has it.',
      'This needs the permission node:write: the token is of one project only.',
    ]);
  });
});

describe('the stronger of two roles', () => {
  it('is the later one of the list, whatever the order of asking', () => {
    const role = fc.constantFrom(null, ...projectRoles);
    fc.assert(
      fc.property(role, role, (one, other) => {
        const stronger = strongerRole(one, other);
        expect(stronger).toBe(strongerRole(other, one));
        expect(Math.max(...[one, other].map((each) => (each ? projectRoles.indexOf(each) : -1)))).toBe(
          stronger ? projectRoles.indexOf(stronger) : -1,
        );
      }),
    );
  });
});
