import {
  type IdParams,
  idParamsSchema,
  type Page,
  type RotateWebhook,
  rotateWebhookSchema,
  type Webhook,
  type WebhookAnswer,
  type WebhookDelivery,
  type WebhookDeliveryQuery,
  type WebhookSecret,
  webhookDeliveryQuerySchema,
  webhookPayloadSchema,
} from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { Body, Controller, Inject, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { inProjectOf, Public, RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { ReceiveWebhookService } from './receive-webhook.service.js';
import { WebhooksService } from './webhooks.service.js';

@Controller()
export class WebhooksController {
  constructor(
    @Inject(WebhooksService) private readonly webhooks: WebhooksService,
    @Inject(ReceiveWebhookService) private readonly receiving: ReceiveWebhookService,
  ) {}

  @Route('getWebhook')
  @RequirePermission('schedule:read', inProjectOf('schedule'))
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<Webhook> {
    return this.webhooks.get(id);
  }

  @Route('rotateWebhookSecret')
  @RequirePermission('schedule:write', inProjectOf('schedule'))
  rotate(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Body({ schema: rotateWebhookSchema }) body: RotateWebhook,
  ): Promise<WebhookSecret> {
    return this.webhooks.rotate(id, body);
  }

  @Route('listWebhookDeliveries')
  @RequirePermission('schedule:read', inProjectOf('schedule'))
  deliveries(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: webhookDeliveryQuerySchema }) query: WebhookDeliveryQuery,
  ): Promise<Page<WebhookDelivery>> {
    return this.webhooks.deliveries(id, query);
  }

  /** The signature stands for a sign-in. */
  @Route('receiveWebhook')
  @Public()
  receive(
    @Param('address') address: string,
    @Body({ schema: webhookPayloadSchema }) payload: Record<string, unknown>,
    @Req() request: FastifyRequest,
  ): Promise<WebhookAnswer> {
    const { headers, ip, id } = request;
    // A body that was read in another way than as JSON has no bytes that a signature could cover.
    const rawBody = request.rawBody ?? (request.body == null ? Buffer.alloc(0) : null);
    if (rawBody === null) throw new AppError('media-type-unsupported', phrase('webhook-not-json'));
    return this.receiving.receive({ address, headers, rawBody, payload, source: ip, requestId: String(id) });
  }
}
