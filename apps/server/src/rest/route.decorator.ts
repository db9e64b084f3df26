import { REST_PREFIX, type RestRoute, type RestRouteName, restRoutes } from '@medley/contracts';
import { applyDecorators, HttpCode, RequestMapping, RequestMethod, SetMetadata } from '@nestjs/common';

export const ROUTE_NAME = 'medley:route';

/** Binds a handler to an operation of `restRoutes`: its method, path and success status come from there. */
export function Route(name: RestRouteName): MethodDecorator {
  const route: RestRoute = restRoutes[name];
  return applyDecorators(
    RequestMapping({ path: `${REST_PREFIX}${route.path}`, method: RequestMethod[route.method] }),
    HttpCode(route.status ?? 200),
    SetMetadata(ROUTE_NAME, name),
  );
}
