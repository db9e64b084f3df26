import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from '../paging.js';
import { projectRoleSchema } from './sign-in.js';

export const principalKindSchema = z.enum(['user', 'group']);
export type PrincipalKind = z.infer<typeof principalKindSchema>;

/** A user or a group that may be given a role. */
export const principalSchema = z
  .object({ kind: principalKindSchema, id: z.uuid(), name: z.string(), displayName: z.string() })
  .meta({ id: 'Principal' });
export type Principal = z.infer<typeof principalSchema>;

/** One role of one user or group in a project. Someone with several, by itself and by groups, has the strongest. */
export const projectMemberSchema = z
  .object({
    id: z.uuid(),
    projectId: z.uuid(),
    principal: principalSchema,
    role: projectRoleSchema,
    createdBy: z.string().nullable(),
    createdAt: instantSchema,
  })
  .meta({ id: 'ProjectMember' });
export type ProjectMember = z.infer<typeof projectMemberSchema>;
export const projectMemberPageSchema = pageOf(projectMemberSchema, 'ProjectMemberPage');

/** Gives a role, or changes the one that is there. */
/** By `role`: the one that may least first. */
export const memberQuerySchema = pageQuerySchema.extend({ sort: sortSchema(['name', 'kind', 'role', 'created'], 'created') });
export type MemberQuery = z.infer<typeof memberQuerySchema>;

export const putMemberSchema = z
  .strictObject({ kind: principalKindSchema, principalId: z.uuid(), role: projectRoleSchema })
  .meta({ id: 'PutMember' });
export type PutMember = z.infer<typeof putMemberSchema>;

export const memberParamsSchema = z.object({ id: z.uuid(), memberId: z.uuid() });
export type MemberParams = z.infer<typeof memberParamsSchema>;

/** At most twenty users and groups whose name holds `search`. */
export const candidateQuerySchema = z.object({ search: z.string().max(100).default('') });
export type CandidateQuery = z.infer<typeof candidateQuerySchema>;
export const memberCandidatesSchema = z.object({ items: z.array(principalSchema) }).meta({ id: 'MemberCandidates' });
export type MemberCandidates = z.infer<typeof memberCandidatesSchema>;
