import { type RestRoute, type RestRouteName, restRoutes } from '@medley/contracts';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { ROUTE_NAME } from './route.decorator.js';
import { everyKeyUnknown } from './unknown-keys.js';
import { refusal } from './zod-validation.pipe.js';

/** Refuses query parameters and body fields where an operation takes none at all: what has no schema, no pipe looks at. */
@Injectable()
export class BareRequestInterceptor implements NestInterceptor {
  constructor(@Inject(Reflector) private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const name = this.reflector.get<RestRouteName | undefined>(ROUTE_NAME, context.getHandler());
    if (name !== undefined) refuseWhatIsNotTaken(restRoutes[name], context.switchToHttp().getRequest<FastifyRequest>());
    return next.handle();
  }
}

function refuseWhatIsNotTaken(route: RestRoute, { query, body }: FastifyRequest): void {
  const fields = [
    ...(route.query ? [] : everyKeyUnknown(query, 'query parameter of none')),
    ...(route.body ? [] : everyKeyUnknown(body, 'field of no body')),
  ];
  if (fields.length > 0) throw refusal(fields, 'request');
}
