import type { AuditEvent, AuditEventDetail, AuditExportQuery, AuditQuery, Page } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Caller, type VisibleProjects, visibleProjects } from '../access/caller.js';
import { findEvent, listEvents, selectEvents } from './audit.repository.js';
import { csvHeader, csvLine } from './audit-export.js';

/** Events that an export reads at once. */
const EXPORT_ROWS = 500;

/** Who changed what, for those who may know. */
@Injectable()
export class AuditService {
  private readonly sql: Sql;

  constructor(@Inject(DataSource) source: DataSource) {
    this.sql = sqlOutsideTransaction(source);
  }

  list(caller: Caller, query: AuditQuery): Promise<Page<AuditEvent>> {
    return listEvents(this.sql, query, visibleTo(caller));
  }

  /** Throws not-found. */
  async get(caller: Caller, id: string): Promise<AuditEventDetail> {
    const event = await findEvent(this.sql, id, visibleTo(caller));
    if (!event) throw new AppError('not-found', phrase('no-such-event'));
    return event;
  }

  /** All of it, the newest first, piece by piece, so that neither side holds it whole. */
  async *export(caller: Caller, { format, ...filter }: AuditExportQuery): AsyncGenerator<string> {
    const lineOf = format === 'csv' ? csvLine : (event: AuditEventDetail) => `${JSON.stringify(event)}\n`;
    const selection = { ...filter, visible: visibleTo(caller) };
    let behind: string | null = null;
    if (format === 'csv') yield csvHeader;
    for (;;) {
      const rows: AuditEventDetail[] = await selectEvents<AuditEventDetail>(this.sql, selection, {
        behind,
        limit: EXPORT_ROWS,
        withStates: true,
      });
      if (rows.length > 0) yield rows.map((row) => lineOf(withInstants(row))).join('');
      if (rows.length < EXPORT_ROWS) return;
      behind = rows.at(-1)!.id;
    }
  }
}

/** Platform administrators see everything, with what belongs to no project or to one that was removed. */
function visibleTo(caller: Caller): VisibleProjects {
  return caller.isPlatformAdmin && caller.tokenProjectId === null ? null : visibleProjects(caller, 'audit:read');
}

/** Instants of a row come as dates. */
function withInstants(row: AuditEventDetail): AuditEventDetail {
  return { ...row, at: new Date(row.at).toISOString(), finishedAt: row.finishedAt && new Date(row.finishedAt).toISOString() };
}
