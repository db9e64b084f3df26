import type { ChangeEvent } from '@medley/contracts';
import { AppError, decideAnywhere } from '@medley/core';
import { Controller, Inject, type OnApplicationShutdown, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Subscription } from 'rxjs';
import { inVisibleProjects, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller, visibleProjects } from '../access/caller.js';
import { CallerIdentification } from '../access/guard/caller-identification.js';
import { Route } from '../rest/route.decorator.js';
import { WakeBus } from '../wake/wake-bus.js';
import { audibleTo, type HeardProjects, isSameProjects, type Listener } from './event-audience.js';
import { EventProjects } from './event-projects.js';
import { EventStream } from './event-stream.js';

const RECONNECT_MS = 2000;
/** How long a listener may go on to hear what was taken from it. */
const CHECK_MS = 3000;

/** Server-sent events: which things changed, never how, and only things of projects that the listener may see. */
@Controller()
export class EventsController implements OnApplicationShutdown {
  private readonly listeners = new Set<Listener>();
  private readonly subscription: Subscription;
  private telling = Promise.resolve();

  constructor(
    @Inject(WakeBus) wakeBus: WakeBus,
    @Inject(EventProjects) private readonly projects: EventProjects,
    @Inject(CallerIdentification) private readonly callers: CallerIdentification,
  ) {
    this.subscription = wakeBus.changes.subscribe((changes) => {
      this.telling = this.telling.then(() => this.tell(changes as readonly ChangeEvent[]));
    });
  }

  @Route('streamEvents')
  @RequirePermission('overview:read', inVisibleProjects)
  stream(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' });
    reply.raw.write(`retry: ${RECONNECT_MS}\n\n`);
    const stream = new EventStream((text) => reply.raw.write(text));
    const listener: Listener = { stream, projects: heardBy(caller) };
    this.listeners.add(listener);
    const check = setInterval(() => void this.check(request, listener), CHECK_MS);
    reply.raw.on('drain', () => stream.drained());
    stream.onClose(() => {
      clearInterval(check);
      this.listeners.delete(listener);
      reply.raw.end();
    });
    request.raw.on('close', () => stream.close());
  }

  onApplicationShutdown(): void {
    this.subscription.unsubscribe();
    for (const { stream } of this.listeners) stream.close();
  }

  /** Before Fastify waits for open requests. */
  beforeApplicationShutdown(): void {
    this.onApplicationShutdown();
  }

  /** Looking projects up is spared when everyone hears all. */
  private async tell(changes: readonly ChangeEvent[]): Promise<void> {
    const isLimited = [...this.listeners].some(({ projects }) => projects !== null);
    const told = isLimited ? await this.projects.complete(changes).catch(() => null) : changes;
    for (const { stream, projects } of this.listeners) {
      if (told === null) stream.startAnew();
      else stream.add(audibleTo(projects, told));
    }
  }

  /** Ends the stream of whoever may not call any more; a listener whose projects have changed is told to fetch again. */
  private async check(request: FastifyRequest, listener: Listener): Promise<void> {
    try {
      const caller = await this.callers.identify(request);
      if (caller.mustChangePassword || !decideAnywhere(caller, 'overview:read').allowed) return listener.stream.close();
      const projects = heardBy(caller);
      if (isSameProjects(projects, listener.projects)) return;
      listener.projects = projects;
      listener.stream.startAnew();
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unauthorized') listener.stream.close();
      // Otherwise Postgres is away: nothing changes meanwhile that could be told.
    }
  }
}

function heardBy(caller: Caller): HeardProjects {
  const projects = visibleProjects(caller, 'run:read');
  return projects === null ? null : new Set(projects);
}
