import { phrase } from '@medley/core';
import { z } from 'zod';
import { instantSchema, pageOf, pageQuerySchema, queryFlagSchema, sortSchema } from '../paging.js';
import { told } from '../told.js';
import { newPasswordSchema, projectRoleSchema, userSourceSchema } from './sign-in.js';

export const userNameSchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._@+-]{0,99}$/, told(phrase('user-name-form')));
const emailSchema = z.email().max(200);
const displayNameSchema = z.string().max(200);

/** How someone belongs to a group: added by hand, or told by the directory at sign-in. */
export const membershipSourceSchema = z.enum(['manual', 'directory']);
export type MembershipSource = z.infer<typeof membershipSourceSchema>;

/** `isAdmin` was given to the user itself; `isPlatformAdmin` holds as well when one of its groups is of platform administrators. */
export const userViewSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    displayName: z.string(),
    email: z.string().nullable(),
    source: userSourceSchema,
    isAdmin: z.boolean(),
    isPlatformAdmin: z.boolean(),
    mustChangePassword: z.boolean(),
    groups: z.array(z.object({ id: z.uuid(), name: z.string() })),
    createdAt: instantSchema,
    lastSignInAt: instantSchema.nullable(),
    disabledAt: instantSchema.nullable(),
    /** Failed sign-ins lock a name for a while. */
    lockedUntil: instantSchema.nullable(),
  })
  .meta({ id: 'User' });
export type UserView = z.infer<typeof userViewSchema>;
export const userPageSchema = pageOf(userViewSchema, 'UserPage');

const userFilter = {
  /** Part of the name, the display name or the address. */
  search: z.string().max(100).optional(),
  source: userSourceSchema.optional(),
};
export const userQuerySchema = pageQuerySchema.extend({
  ...userFilter,
  disabled: queryFlagSchema.optional(),
  /** Who never signed in did so before all others. */
  sort: sortSchema(['name', 'displayName', 'source', 'created', 'lastSignIn'], 'name'),
});
export type UserQuery = z.infer<typeof userQuerySchema>;

/** Where a user's roles come from. */
export const userRoleSchema = z
  .object({ projectId: z.uuid(), project: z.string(), role: projectRoleSchema, group: z.string().nullable() })
  .meta({ id: 'UserRole' });
export const userDetailSchema = userViewSchema.extend({ roles: z.array(userRoleSchema) }).meta({ id: 'UserDetail' });
export type UserDetail = z.infer<typeof userDetailSchema>;

/** Without a password one is generated and shown once. */
export const createUserSchema = z
  .strictObject({
    name: userNameSchema,
    displayName: displayNameSchema.default(''),
    email: emailSchema.nullable().default(null),
    isAdmin: z.boolean().default(false),
    password: newPasswordSchema.optional(),
    mustChangePassword: z.boolean().default(true),
  })
  .meta({ id: 'CreateUser' });
export type CreateUser = z.infer<typeof createUserSchema>;

/** `password` is there when it was generated, and shown this once. */
export const createdUserSchema = userViewSchema.extend({ password: z.string().nullable() }).meta({ id: 'CreatedUser' });
export type CreatedUser = z.infer<typeof createdUserSchema>;

/** Disabling ends the user's sessions; its API tokens are refused while it lasts. */
export const patchUserSchema = z
  .strictObject({
    displayName: displayNameSchema.optional(),
    email: emailSchema.nullable().optional(),
    isAdmin: z.boolean().optional(),
    disabled: z.boolean().optional(),
  })
  .meta({ id: 'PatchUser' });
export type PatchUser = z.infer<typeof patchUserSchema>;

/** Disables or enables every user that the filter finds; `dryRun` only counts. Where more would change than the `expected` ones, nothing does. */
export const changeUsersSchema = z
  .strictObject({
    filter: z.strictObject({ ...userFilter, disabled: z.boolean().optional() }),
    disabled: z.boolean(),
    expected: z.number().int().min(0).optional(),
    dryRun: z.boolean().default(false),
  })
  .meta({ id: 'ChangeUsers' });
export type ChangeUsers = z.infer<typeof changeUsersSchema>;

/** Of the `found` users those that `changed`, the `sessions` of theirs that end, and those that are left as they are, each with the reason. */
export const usersChangeSchema = z
  .object({
    dryRun: z.boolean(),
    found: z.number().int(),
    changed: z.number().int(),
    sessions: z.number().int(),
    refused: z.array(z.object({ userId: z.uuid(), name: z.string(), code: z.string(), text: z.string() })),
  })
  .meta({ id: 'UsersChange' });
export type UsersChange = z.infer<typeof usersChangeSchema>;

export const resetPasswordSchema = z
  .strictObject({ password: newPasswordSchema.optional(), mustChangePassword: z.boolean().default(true) })
  .meta({ id: 'ResetPassword' });
export type ResetPassword = z.infer<typeof resetPasswordSchema>;
export const resetPasswordAnswerSchema = z.object({ password: z.string().nullable() }).meta({ id: 'ResetPasswordAnswer' });
export type ResetPasswordAnswer = z.infer<typeof resetPasswordAnswerSchema>;

/** What goes with a user. What it has made stays and goes on to name it. */
export const userImpactSchema = z
  .object({ sessions: z.number().int(), apiTokens: z.number().int(), groups: z.number().int(), roles: z.number().int() })
  .meta({ id: 'UserImpact' });
export type UserImpact = z.infer<typeof userImpactSchema>;
