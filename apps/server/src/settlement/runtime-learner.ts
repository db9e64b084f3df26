import { sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { LOGGER } from '../logging/logger.js';
import { nodeSpeed } from './node-speed.js';
import type { LearnedRuntime } from './settlement.types.js';

const FLUSH_MS = 1000;
const SHORTEST_SECONDS = 0.001;
/** Thirty years: no task runs longer, and a number from elsewhere must not make the whole batch fail. */
const LONGEST_SECONDS = 1e9;

/**
 * Learns how long each task takes at speed 1: the mean of log seconds over successes, where the newest weighs at least a tenth. Written once a second and
 * outside of the transactions that end tasks; an estimate that is lost with a server costs nothing but precision.
 */
@Injectable()
export class RuntimeLearner implements OnApplicationShutdown {
  private pending = new Map<string, LearnedRuntime[]>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  learn(runtimes: readonly LearnedRuntime[]): void {
    for (const runtime of runtimes) {
      const key = `${runtime.workflowId} ${runtime.taskKey}`;
      const known = this.pending.get(key);
      if (known) known.push(runtime);
      else this.pending.set(key, [runtime]);
    }
    if (this.pending.size > 0) this.timer ??= setTimeout(() => void this.flush(), FLUSH_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.flush();
  }

  private async flush(): Promise<void> {
    this.timer = null;
    const batch = [...this.pending.values()].flat();
    this.pending = new Map();
    if (batch.length === 0) return;
    try {
      await sqlOutsideTransaction(this.source).query(learnStatement, [
        batch.map(({ workflowId }) => workflowId),
        batch.map(({ taskKey }) => taskKey),
        batch.map(({ nodeId }) => nodeId),
        batch.map(({ runSeconds }) => Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, runSeconds))),
      ]);
    } catch (error) {
      this.logger.warn({ err: error }, 'learned runtimes could not be stored; they are dropped');
    }
  }
}

const learnStatement = `
with observed as (
  select i.workflow_id, i.task_key, avg(ln(i.run_seconds * ${nodeSpeed})) as log_seconds, count(*)::int as observations
  from unnest($1::uuid[], $2::text[], $3::uuid[], $4::float8[]) as i(workflow_id, task_key, node_id, run_seconds) join nodes n on n.id = i.node_id
  where ${nodeSpeed} > 0
  group by i.workflow_id, i.task_key order by i.workflow_id, i.task_key
)
insert into runtime_estimates as e (workflow_id, task_key, mean_log_seconds, observations)
select workflow_id, task_key, log_seconds, observations from observed
on conflict (workflow_id, task_key) do update set
  mean_log_seconds = e.mean_log_seconds + (excluded.mean_log_seconds - e.mean_log_seconds)
    * greatest(0.1, excluded.observations::float8 / (e.observations + excluded.observations)),
  observations = e.observations + excluded.observations`;
