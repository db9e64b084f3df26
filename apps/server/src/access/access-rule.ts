import type { Permission } from '@medley/core';
import { type CustomDecorator, SetMetadata } from '@nestjs/common';
import type { ProjectThing } from './guard/project-lookup.js';

export const ACCESS_RULE = 'medley:access-rule';

/** How a route finds the project in which its permission has to hold. */
export type ProjectSource =
  /** In none: the permission is one of the platform. */
  | { kind: 'platform' }
  /** The project of the thing whose id the path holds; looked up before the handler. */
  | { kind: 'thing'; thing: ProjectThing; parameter: string }
  /** Named in a document that only the handler can read. It calls `requireInProject`; here the permission has to hold somewhere. */
  | { kind: 'document' }
  /** A list of things of several projects, which the handler limits by `visibleProjects`. */
  | { kind: 'visible' };

/** Who may call a route. A route without a rule is refused. */
export type AccessRule =
  | { kind: 'public' }
  | { kind: 'agent' }
  | { kind: 'permission'; permission: Permission; project: ProjectSource; beforePasswordChange: boolean };

/** The permission is one of the platform, not of a project. */
export const onPlatform: ProjectSource = { kind: 'platform' };
/** The route's list holds what the caller may see. */
export const inVisibleProjects: ProjectSource = { kind: 'visible' };
/** The handler finds the project in what was sent. */
export const inProjectOfDocument: ProjectSource = { kind: 'document' };
/** The project of the thing with the id in the path. */
export const inProjectOf = (thing: ProjectThing, parameter = 'id'): ProjectSource => ({ kind: 'thing', thing, parameter });

/** Callable by anyone: sign-in, health, the API description, an agent's join. */
export const Public = (): CustomDecorator => rule({ kind: 'public' });

/** Callable by agents with their own credential; the node is on the request. */
export const AgentAuthenticated = (): CustomDecorator => rule({ kind: 'agent' });

/** Callable by a signed-in user or an API token with this permission in the project that `project` finds. */
export const RequirePermission = (permission: Permission, project: ProjectSource): CustomDecorator =>
  rule({ kind: 'permission', permission, project, beforePasswordChange: false });

/** Callable by a signed-in user even while its password has to be changed first. */
export const RequireSignIn = (permission: Permission): CustomDecorator =>
  rule({ kind: 'permission', permission, project: onPlatform, beforePasswordChange: true });

function rule(value: AccessRule): CustomDecorator {
  return SetMetadata(ACCESS_RULE, value);
}
