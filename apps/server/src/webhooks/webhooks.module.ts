import { Module } from '@nestjs/common';
import { SettlementModule } from '../settlement/settlement.module.js';
import { ReceiveWebhookService } from './receive-webhook.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({ imports: [SettlementModule], controllers: [WebhooksController], providers: [WebhooksService, ReceiveWebhookService] })
export class WebhooksModule {}
