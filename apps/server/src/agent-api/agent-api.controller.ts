import {
  AGENT_API_PREFIX,
  type ClaimsAnswer,
  type ClaimsRequest,
  claimsRequestSchema,
  type FileLooksAnswer,
  type FileLooksRequest,
  fileLooksRequestSchema,
  type HeartbeatAnswer,
  type HeartbeatRequest,
  heartbeatRequestSchema,
  type JoinAnswer,
  type JoinRequest,
  joinRequestSchema,
  type ReportsAnswer,
  type ReportsRequest,
  reportsRequestSchema,
  type SessionAnswer,
  type SessionRequest,
  sessionRequestSchema,
  type WorkAnswer,
} from '@medley/contracts';
import { Body, Controller, Get, HttpCode, Inject, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { fromEvent } from 'rxjs';
import { z } from 'zod';
import { AgentAuthenticated, Public } from '../access/access-rule.js';
import { type CallingAgent, CurrentNode } from '../access/caller.js';
import { ClaimsService } from './claims.service.js';
import { JoinService } from './join.service.js';
import { LooksService } from './looks.service.js';
import { NodeSessionService } from './node-session.service.js';
import { ReportsService } from './reports.service.js';
import { WorkService } from './work.service.js';

const workQuerySchema = z.object({ waitSeconds: z.coerce.number().min(0).max(30).default(0) });
type WorkQuery = z.infer<typeof workQuerySchema>;

/** The one port agents talk to. */
@Controller(AGENT_API_PREFIX)
@AgentAuthenticated()
export class AgentApiController {
  constructor(
    @Inject(JoinService) private readonly joins: JoinService,
    @Inject(NodeSessionService) private readonly sessions: NodeSessionService,
    @Inject(WorkService) private readonly works: WorkService,
    @Inject(ClaimsService) private readonly claimed: ClaimsService,
    @Inject(ReportsService) private readonly reported: ReportsService,
    @Inject(LooksService) private readonly looked: LooksService,
  ) {}

  @Post('join')
  @HttpCode(200)
  @Public()
  join(@Body({ schema: joinRequestSchema }) body: JoinRequest): Promise<JoinAnswer> {
    return this.joins.join(body);
  }

  @Post('session')
  @HttpCode(200)
  session(@CurrentNode() node: CallingAgent, @Body({ schema: sessionRequestSchema }) body: SessionRequest): Promise<SessionAnswer> {
    return this.sessions.open(node.id, body);
  }

  @Post('heartbeat')
  @HttpCode(200)
  heartbeat(@CurrentNode() node: CallingAgent, @Body({ schema: heartbeatRequestSchema }) body: HeartbeatRequest): Promise<HeartbeatAnswer> {
    return this.sessions.heartbeat(node.id, body);
  }

  @Get('work')
  work(
    @CurrentNode() node: CallingAgent,
    @Query({ schema: workQuerySchema }) query: WorkQuery,
    @Req() request: FastifyRequest,
  ): Promise<WorkAnswer> {
    return this.works.wait(node.id, query.waitSeconds, fromEvent(request.raw.socket, 'close'));
  }

  @Post('claims')
  @HttpCode(200)
  async claims(@CurrentNode() node: CallingAgent, @Body({ schema: claimsRequestSchema }) body: ClaimsRequest): Promise<ClaimsAnswer> {
    return { results: await this.claimed.claim(node.id, body.claims) };
  }

  @Post('reports')
  @HttpCode(200)
  async reports(@CurrentNode() node: CallingAgent, @Body({ schema: reportsRequestSchema }) body: ReportsRequest): Promise<ReportsAnswer> {
    return { acks: await this.reported.report(node.id, body.reports), stops: [] };
  }

  @Post('looks')
  @HttpCode(200)
  async looks(
    @CurrentNode() node: CallingAgent,
    @Body({ schema: fileLooksRequestSchema }) body: FileLooksRequest,
  ): Promise<FileLooksAnswer> {
    await this.looked.take(node.id, body.answers);
    return {};
  }
}
