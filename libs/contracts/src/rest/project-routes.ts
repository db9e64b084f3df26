import {
  candidateQuerySchema,
  memberCandidatesSchema,
  memberQuerySchema,
  projectMemberPageSchema,
  projectMemberSchema,
  putMemberSchema,
} from './access/members.js';
import {
  createProjectSchema,
  patchProjectSchema,
  projectImpactSchema,
  projectPageSchema,
  projectQuerySchema,
  projectViewSchema,
  removeProjectQuerySchema,
} from './projects.js';
import type { RestRoute } from './route.js';

export const projectRoutes = {
  listProjects: {
    method: 'GET',
    path: '/projects',
    summary: "The caller's projects by name",
    query: projectQuerySchema,
    answer: projectPageSchema,
  },
  createProject: {
    method: 'POST',
    path: '/projects',
    summary: 'Create a project',
    body: createProjectSchema,
    answer: projectViewSchema,
    status: 201,
    repeatable: true,
  },
  getProject: { method: 'GET', path: '/projects/:id', summary: 'A project', answer: projectViewSchema },
  patchProject: {
    method: 'PATCH',
    path: '/projects/:id',
    summary: 'Rename a project; workflow files with the old name go on to work',
    body: patchProjectSchema,
    answer: projectViewSchema,
  },
  getProjectImpact: { method: 'GET', path: '/projects/:id/impact', summary: 'What a project holds', answer: projectImpactSchema },
  removeProject: {
    method: 'DELETE',
    path: '/projects/:id',
    summary: 'Remove a project without active runs; tells what went with it',
    query: removeProjectQuerySchema,
    answer: projectImpactSchema,
  },
  listProjectMembers: {
    method: 'GET',
    path: '/projects/:id/members',
    summary: 'Roles of users and groups in a project',
    query: memberQuerySchema,
    answer: projectMemberPageSchema,
  },
  listMemberCandidates: {
    method: 'GET',
    path: '/projects/:id/member-candidates',
    summary: 'Users and groups that may be given a role',
    query: candidateQuerySchema,
    answer: memberCandidatesSchema,
  },
  putProjectMember: {
    method: 'PUT',
    path: '/projects/:id/members',
    summary: 'Give a user or a group a role in a project, or change it',
    body: putMemberSchema,
    answer: projectMemberSchema,
  },
  removeProjectMember: { method: 'DELETE', path: '/projects/:id/members/:memberId', summary: 'Take a role in a project away', status: 204 },
} as const satisfies Record<string, RestRoute>;
