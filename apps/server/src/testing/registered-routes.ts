import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import { ACCESS_RULE, type AccessRule } from '../access/access-rule.js';
import type { TestServer } from './test-server.js';

export interface RegisteredRoute {
  method: string;
  path: string;
  rule: AccessRule | undefined;
}

/** Every handler of every controller that Nest knows. */
export function registeredRoutes(server: TestServer): RegisteredRoute[] {
  const modules = [...server.app.get(ModulesContainer).values()];
  const controllers = modules.flatMap((module) => [...module.controllers.values()].map(({ metatype }) => metatype as new () => object));
  return controllers.flatMap((controller) => {
    const prefix = String(Reflect.getMetadata(PATH_METADATA, controller) ?? '/');
    const names = Object.getOwnPropertyNames(controller.prototype).filter((name) => name !== 'constructor');
    return names.flatMap((name) => {
      const handler = controller.prototype[name as keyof object] as object;
      const path: string | undefined = Reflect.getMetadata(PATH_METADATA, handler);
      if (path === undefined) return [];
      const full = `/${prefix}/${path}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1');
      const rule: AccessRule | undefined = Reflect.getMetadata(ACCESS_RULE, handler) ?? Reflect.getMetadata(ACCESS_RULE, controller);
      return [{ method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler)]!, path: full, rule }];
    });
  });
}

export const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
