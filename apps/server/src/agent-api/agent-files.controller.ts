import type { Readable } from 'node:stream';
import {
  AGENT_API_PREFIX,
  type FetchFileQuery,
  fetchFileQuerySchema,
  type IdParams,
  idParamsSchema,
  type KeepFileAnswer,
  type KeepFileQuery,
  keepFileQuerySchema,
} from '@medley/contracts';
import { Controller, Get, HttpCode, Inject, Param, Post, Query, Req, StreamableFile } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AgentAuthenticated } from '../access/access-rule.js';
import { type CallingAgent, CurrentNode } from '../access/caller.js';
import { AgentFilesService } from './agent-files.service.js';

/** Working files on their way from and to agents. */
@Controller(`${AGENT_API_PREFIX}/files`)
@AgentAuthenticated()
export class AgentFilesController {
  constructor(@Inject(AgentFilesService) private readonly files: AgentFilesService) {}

  @Post()
  @HttpCode(200)
  keep(
    @CurrentNode() node: CallingAgent,
    @Query({ schema: keepFileQuerySchema }) query: KeepFileQuery,
    @Req() request: FastifyRequest,
  ): Promise<KeepFileAnswer> {
    return this.files.keep(node.id, query, request.body as Readable);
  }

  @Get(':id')
  async fetch(
    @CurrentNode() node: CallingAgent,
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: fetchFileQuerySchema }) query: FetchFileQuery,
  ): Promise<StreamableFile> {
    const { body, bytes } = await this.files.fetch(node.id, id, query);
    return new StreamableFile(body, { type: 'application/octet-stream', length: bytes });
  }
}
