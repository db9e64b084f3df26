import { permissions, projectRoles, tokenScopes } from '@medley/core';
import { z } from 'zod';
import { instantSchema } from '../paging.js';

export const loginRequestSchema = z
  .object({ name: z.string().min(1).max(100), password: z.string().min(1).max(500) })
  .meta({ id: 'LoginRequest' });
export type LoginRequest = z.infer<typeof loginRequestSchema>;

export const tokenScopeSchema = z.enum(tokenScopes);
export type TokenScope = z.infer<typeof tokenScopeSchema>;

export const projectRoleSchema = z.enum(projectRoles);
export type ProjectRole = z.infer<typeof projectRoleSchema>;

export const permissionSchema = z.enum(permissions as [string, ...string[]] as typeof permissions).meta({ id: 'Permission' });

/** Who vouches for a user: Medley's own password, an OpenID provider, or an LDAP directory. */
export const userSourceSchema = z.enum(['local', 'oidc', 'ldap']);
export type UserSource = z.infer<typeof userSourceSchema>;

/** A project of the caller with what it may do there. A platform administrator has the role `admin` everywhere. */
export const myProjectSchema = z
  .object({ id: z.uuid(), name: z.string(), role: projectRoleSchema, permissions: z.array(permissionSchema) })
  .meta({ id: 'MyProject' });
export type MyProject = z.infer<typeof myProjectSchema>;

/**
 * Who calls and what it may do now: `permissions` holds outside projects, `projects` tells the rest. While `mustChangePassword` is true, every call but /me,
 * /me/password and /logout is refused. `projectId` is the only project a token is good for.
 */
export const meSchema = z
  .object({
    userId: z.uuid(),
    name: z.string(),
    displayName: z.string(),
    email: z.string().nullable(),
    source: userSourceSchema,
    isAdmin: z.boolean(),
    mustChangePassword: z.boolean(),
    via: z.enum(['session', 'token']),
    scopes: z.array(tokenScopeSchema),
    projectId: z.uuid().nullable(),
    expiresAt: instantSchema.nullable(),
    permissions: z.array(permissionSchema),
    projects: z.array(myProjectSchema),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof meSchema>;

export const PASSWORD_LENGTH_MIN = 12;
/** Of a password that is being set: at least twelve characters, and not made of the user's name. */
export const newPasswordSchema = z.string().min(1).max(500);

export const changePasswordSchema = z
  .strictObject({ currentPassword: z.string().min(1).max(500), newPassword: newPasswordSchema })
  .meta({ id: 'ChangePassword' });
export type ChangePassword = z.infer<typeof changePasswordSchema>;
