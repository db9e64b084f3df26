import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, sortSchema } from '../paging.js';
import { membershipSourceSchema } from './users.js';

const groupNameSchema = z.string().trim().min(1).max(100);
const descriptionSchema = z.string().max(500);
/** The name of an OpenID provider's group, or the distinguished name of one of a directory. */
const externalNameSchema = z.string().trim().min(1).max(500);

/** Whoever belongs to a directory's group `externalName` belongs to this one from the next sign-in on. */
export const groupViewSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    description: z.string(),
    externalName: z.string().nullable(),
    isPlatformAdmin: z.boolean(),
    memberCount: z.number().int(),
    projectCount: z.number().int(),
    createdAt: instantSchema,
  })
  .meta({ id: 'Group' });
export type GroupView = z.infer<typeof groupViewSchema>;
export const groupPageSchema = pageOf(groupViewSchema, 'GroupPage');

export const groupQuerySchema = pageQuerySchema.extend({
  search: z.string().max(100).optional(),
  sort: sortSchema(['name', 'members', 'projects', 'created'], 'name'),
});
export type GroupQuery = z.infer<typeof groupQuerySchema>;

export const createGroupSchema = z
  .strictObject({
    name: groupNameSchema,
    description: descriptionSchema.default(''),
    externalName: externalNameSchema.nullable().default(null),
    isPlatformAdmin: z.boolean().default(false),
  })
  .meta({ id: 'CreateGroup' });
export type CreateGroup = z.infer<typeof createGroupSchema>;

export const patchGroupSchema = z
  .strictObject({
    name: groupNameSchema.optional(),
    description: descriptionSchema.optional(),
    externalName: externalNameSchema.nullable().optional(),
    isPlatformAdmin: z.boolean().optional(),
  })
  .meta({ id: 'PatchGroup' });
export type PatchGroup = z.infer<typeof patchGroupSchema>;

export const groupMemberSchema = z
  .object({
    userId: z.uuid(),
    name: z.string(),
    displayName: z.string(),
    disabledAt: instantSchema.nullable(),
    sources: z.array(membershipSourceSchema),
  })
  .meta({ id: 'GroupMember' });
export type GroupMember = z.infer<typeof groupMemberSchema>;
export const groupMemberPageSchema = pageOf(groupMemberSchema, 'GroupMemberPage');

export const addGroupMemberSchema = z.strictObject({ userId: z.uuid() }).meta({ id: 'AddGroupMember' });
export type AddGroupMember = z.infer<typeof addGroupMemberSchema>;

export const groupMemberParamsSchema = z.object({ id: z.uuid(), userId: z.uuid() });
export type GroupMemberParams = z.infer<typeof groupMemberParamsSchema>;
