import type { ChangeEvent } from '@medley/contracts';
import { Controller, Inject, type OnApplicationShutdown, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inVisibleProjects, RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { WakeBus } from '../wake/wake-bus.js';
import { EventStream } from './event-stream.js';

const RECONNECT_MS = 2000;

/** Server-sent events: which things changed, never how. */
@Controller()
export class EventsController implements OnApplicationShutdown {
  private readonly streams = new Set<EventStream>();

  constructor(@Inject(WakeBus) private readonly wakeBus: WakeBus) {}

  @Route('streamEvents')
  @RequirePermission('overview:read', inVisibleProjects)
  stream(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' });
    reply.raw.write(`retry: ${RECONNECT_MS}\n\n`);
    const stream = new EventStream((text) => reply.raw.write(text));
    const subscription = this.wakeBus.changes.subscribe((changes) => stream.add(changes as readonly ChangeEvent[]));
    this.streams.add(stream);
    reply.raw.on('drain', () => stream.drained());
    stream.onClose(() => {
      subscription.unsubscribe();
      this.streams.delete(stream);
      reply.raw.end();
    });
    request.raw.on('close', () => stream.close());
  }

  onApplicationShutdown(): void {
    for (const stream of this.streams) stream.close();
  }

  /** Before Fastify waits for open requests. */
  beforeApplicationShutdown(): void {
    this.onApplicationShutdown();
  }
}
