import type { PutQuota, QuotaList, QuotaView } from '@medley/contracts';
import { type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { VisibleProjects } from '../access/caller.js';
import { WakeBus } from '../wake/wake-bus.js';

// What a project holds is what its open reservations sum up to. Its waiting task runs are counted by the shapes that are its own.
const quotaSelect = `
select p.id as "projectId", p.name as project,
  json_build_object('cpuMillis', q.cpu_millis, 'memoryMib', q.memory_mib, 'gpuCount', q.gpu_count, 'attempts', q.attempts) as quota,
  (select json_build_object('cpuMillis', coalesce(sum(v.cpu_millis), 0), 'memoryMib', coalesce(sum(v.memory_mib), 0), 'gpuCount', coalesce(sum(v.gpu_count), 0),
    'attempts', count(*)) from reservations v where v.project_id = p.id and v.state <> 'released') as used,
  (select count(*)::int from task_runs t join runs r on r.id = t.run_id where t.state in ('ready', 'blocked') and r.project_id = p.id) as "waitingCount"
from projects p`;

/** What projects may hold in total: cores, memory, GPUs and running attempts. */
@Injectable()
export class QuotasService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) source: DataSource,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(projects: VisibleProjects): Promise<QuotaList> {
    const items = await this.sql.query<QuotaView>(
      `${quotaSelect} join project_quotas q on q.project_id = p.id where p.removed_at is null and ($1::uuid[] is null or p.id = any($1)) order by p.name`,
      [projects],
    );
    return { items };
  }

  async get(projectId: string): Promise<QuotaView> {
    const [quota] = await this.sql.query<QuotaView>(`${quotaSelect} left join project_quotas q on q.project_id = p.id where p.id = $1`, [
      projectId,
    ]);
    return quota!;
  }

  /** From the next placement on; less stops nobody. A quota of nothing is none, and its row goes, so that placement need not look. */
  async put(projectId: string, { cpuMillis, memoryMib, gpuCount, attempts }: PutQuota): Promise<QuotaView> {
    const values = [cpuMillis, memoryMib, gpuCount, attempts];
    if (values.every((value) => value === null)) await this.sql.query('delete from project_quotas where project_id = $1', [projectId]);
    else
      await this.sql.query(
        `insert into project_quotas (project_id, cpu_millis, memory_mib, gpu_count, attempts) values ($1, $2, $3, $4, $5)
         on conflict (project_id) do update set cpu_millis = excluded.cpu_millis, memory_mib = excluded.memory_mib, gpu_count = excluded.gpu_count,
           attempts = excluded.attempts, updated_at = clock_timestamp()`,
        [projectId, ...values],
      );
    this.wakeBus.place();
    return this.get(projectId);
  }
}
