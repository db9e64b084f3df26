import { Readable } from 'node:stream';
import {
  type AttemptView,
  type IdParams,
  idParamsSchema,
  type LogPage,
  type LogPart,
  type LogQuery,
  logDownloadQuerySchema,
  logQuerySchema,
  type PlacementReplay,
  type PlacementView,
} from '@medley/contracts';
import { Controller, Inject, Param, Query, StreamableFile } from '@nestjs/common';
import { inProjectOf, RequirePermission } from '../access/access-rule.js';
import { Route } from '../rest/route.decorator.js';
import { AttemptsService } from './attempts.service.js';

@Controller()
export class AttemptsController {
  constructor(@Inject(AttemptsService) private readonly attempts: AttemptsService) {}

  @Route('getAttempt')
  @RequirePermission('run:read', inProjectOf('attempt'))
  get(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<AttemptView> {
    return this.attempts.get(id);
  }

  @Route('getLog')
  @RequirePermission('run:read', inProjectOf('attempt'))
  log(@Param({ schema: idParamsSchema }) { id }: IdParams, @Query({ schema: logQuerySchema }) query: LogQuery): Promise<LogPage> {
    return this.attempts.log(id, query);
  }

  @Route('downloadLog')
  @RequirePermission('run:read', inProjectOf('attempt'))
  async download(
    @Param({ schema: idParamsSchema }) { id }: IdParams,
    @Query({ schema: logDownloadQuerySchema }) { stream }: { stream?: LogPart['stream'] },
  ): Promise<StreamableFile> {
    const { number } = await this.attempts.get(id);
    return new StreamableFile(Readable.from(await this.attempts.wholeLog(id, stream), { objectMode: false }), {
      type: 'text/plain; charset=utf-8',
      disposition: `attachment; filename="attempt-${number}-${id}.log"`,
    });
  }

  @Route('getPlacement')
  @RequirePermission('run:read', inProjectOf('attempt'))
  placement(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<PlacementView> {
    return this.attempts.placement(id);
  }

  @Route('replayPlacement')
  @RequirePermission('run:read', inProjectOf('attempt'))
  replay(@Param({ schema: idParamsSchema }) { id }: IdParams): Promise<PlacementReplay> {
    return this.attempts.replayPlacement(id);
  }
}
