import type { CreateLimit, LimitDetail, LimitQuery, LimitView, Page, PatchLimit, RunKeys } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { VisibleProjects } from '../access/caller.js';
import { listRunKeys } from '../concurrency/admission-reason.js';
import { isUniqueViolation } from '../database/database-faults.js';
import { type Idempotency, onceByKey } from '../rest/idempotency.js';
import { WakeBus } from '../wake/wake-bus.js';
import { getLimit, insertLimit, type LimitPlace, listLimits, lockLimit, updateLimit, usesOfLimit } from './limits.repository.js';

@Injectable()
export class LimitsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  list(query: LimitQuery, projects: VisibleProjects): Promise<Page<LimitView>> {
    return listLimits(this.sql, query, projects);
  }

  listRunKeys(projects: VisibleProjects): Promise<RunKeys> {
    return listRunKeys(this.sql, projects);
  }

  /** Throws not-found. */
  get(id: string, place: LimitPlace, visible: VisibleProjects): Promise<LimitDetail> {
    return getLimit(this.sql, id, place, visible);
  }

  /** Throws name-taken. */
  async create(place: LimitPlace, body: CreateLimit, visible: VisibleProjects, idempotency: Idempotency | null): Promise<LimitDetail> {
    try {
      return await inTransaction(this.source, (sql) =>
        onceByKey(sql, idempotency, async () => getLimit(sql, await insertLimit(sql, place, body), place, visible)),
      );
    } catch (error) {
      if (isUniqueViolation(error, 'limits_name')) throw new AppError('name-taken', phrase('limit-name-taken', { name: body.name }));
      throw error;
    }
  }

  /** From the next placement on; more room wakes who waits on every server, less stops nobody. Throws not-found and limit-invalid. */
  async patch(id: string, place: LimitPlace, body: PatchLimit, visible: VisibleProjects): Promise<LimitDetail> {
    await inTransaction(this.source, async (sql) => {
      const { kind, name, ...limit } = await lockLimit(sql, id, place);
      const next = { ...limit, ...body };
      if (kind === 'mutex' && (next.slots !== 1 || next.rate !== null))
        throw new AppError('limit-invalid', phrase('mutex-has-one-slot', { name }));
      if (next.slots === null && next.rate === null) throw new AppError('limit-invalid', phrase('limit-limits-nothing'));
      await updateLimit(sql, id, next);
    });
    this.wakeBus.place();
    return this.get(id, place, visible);
  }

  /** Its name is free again. Throws not-found, and limit-in-use while anything holds, awaits or names it. */
  async remove(id: string, place: LimitPlace): Promise<void> {
    await inTransaction(this.source, async (sql) => {
      const limit = await lockLimit(sql, id, place);
      const { holders, waiting, workflows } = await usesOfLimit(sql, id, limit, place);
      const reasons = [
        ...(holders > 0 ? [phrase('limit-holders', { count: holders })] : []),
        ...(waiting > 0 ? [phrase('limit-waiters', { count: waiting })] : []),
        ...(workflows.length > 0 ? [phrase('limit-workflows', { names: workflows })] : []),
      ];
      if (reasons.length > 0) throw new AppError('limit-in-use', phrase('limit-still-has', { name: limit.name, things: reasons }));
      await sql.query('update limits set removed_at = clock_timestamp() where id = $1', [id]);
    });
    this.wakeBus.place();
  }
}
