import { AGENT_BUNDLE_PATH, type AgentBundle } from '@medley/contracts';
import { Controller, Get, Header, Inject, StreamableFile } from '@nestjs/common';
import { onPlatform, Public, RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { AgentBundleFile } from './agent-bundle.js';

/** Hands the packed agent to machines that join; its checksum goes to the person who starts it there, over their own session. */
@Controller()
export class AgentDownloadController {
  constructor(@Inject(AgentBundleFile) private readonly file: AgentBundleFile) {}

  @Get(AGENT_BUNDLE_PATH)
  @Public()
  @Header('cache-control', 'no-cache')
  async download(): Promise<StreamableFile> {
    const { content } = await this.file.read();
    return new StreamableFile(content, { type: 'text/javascript; charset=utf-8', length: content.length });
  }

  @Route('getAgentBundle')
  @RequirePermission('node:read', onPlatform)
  async about(): Promise<AgentBundle> {
    return (await this.file.read()).about;
  }
}
