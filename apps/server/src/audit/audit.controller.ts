import { Readable } from 'node:stream';
import {
  type AuditEvent,
  type AuditEventDetail,
  type AuditExportQuery,
  type AuditQuery,
  auditExportQuerySchema,
  auditQuerySchema,
  type IdParams,
  idParamsSchema,
  type Page,
} from '@medley/contracts';
import { Controller, Inject, Param, Query, StreamableFile } from '@nestjs/common';
import { inVisibleProjects, RequirePermission } from '../access/access-rule.js';
import { type Caller, CurrentCaller } from '../access/caller.js';
import { Route } from '../rest/route.decorator.js';
import { AuditService } from './audit.service.js';

const contentTypes = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const;

@Controller()
export class AuditController {
  constructor(@Inject(AuditService) private readonly audit: AuditService) {}

  @Route('listAuditEvents')
  @RequirePermission('audit:read', inVisibleProjects)
  list(@CurrentCaller() caller: Caller, @Query({ schema: auditQuerySchema }) query: AuditQuery): Promise<Page<AuditEvent>> {
    return this.audit.list(caller, query);
  }

  @Route('exportAuditEvents')
  @RequirePermission('audit:read', inVisibleProjects)
  export(@CurrentCaller() caller: Caller, @Query({ schema: auditExportQuerySchema }) query: AuditExportQuery): StreamableFile {
    return new StreamableFile(Readable.from(this.audit.export(caller, query), { objectMode: false }), {
      type: contentTypes[query.format],
      disposition: `attachment; filename="medley-audit.${query.format}"`,
    });
  }

  @Route('getAuditEvent')
  @RequirePermission('audit:read', inVisibleProjects)
  get(@CurrentCaller() caller: Caller, @Param({ schema: idParamsSchema }) { id }: IdParams): Promise<AuditEventDetail> {
    return this.audit.get(caller, id);
  }
}
