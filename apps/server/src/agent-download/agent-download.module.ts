import { Module } from '@nestjs/common';
import { AgentBundleFile } from './agent-bundle.js';
import { AgentDownloadController } from './agent-download.controller.js';

@Module({ controllers: [AgentDownloadController], providers: [AgentBundleFile] })
export class AgentDownloadModule {}
