import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { Permission } from './permissions.js';

export const ACCESS_RULE = 'medley:access-rule';

/** Who may call a route. A route without a rule is refused. */
export type AccessRule = { kind: 'public' } | { kind: 'agent' } | { kind: 'permission'; permission: Permission };

/** Callable by anyone: sign-in, health, the API description, an agent's join. */
export const Public = (): CustomDecorator => rule({ kind: 'public' });

/** Callable by agents with their own credential; the node is on the request. */
export const AgentAuthenticated = (): CustomDecorator => rule({ kind: 'agent' });

/** Callable by a signed-in user or an API token with this permission. */
export const RequirePermission = (permission: Permission): CustomDecorator => rule({ kind: 'permission', permission });

function rule(value: AccessRule): CustomDecorator {
  return SetMetadata(ACCESS_RULE, value);
}
