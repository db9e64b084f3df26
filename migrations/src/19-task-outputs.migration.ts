import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What tasks give to those behind them. */
export class TaskOutputs1764600000019 implements MigrationInterface {
  readonly name = 'TaskOutputs1764600000019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table);
  }

  async down(): Promise<void> {
    throw new Error('What tasks have given would be lost: restore a backup instead.');
  }
}

// Beside the hot rows: most tasks give nothing, and what they give is read by the few tasks that name it. Those of the attempt that the fence of the task run
// names count; earlier ones stay until the run goes.
const table = `
create table task_outputs (
  task_run_id uuid not null,
  fence int not null,
  outputs jsonb not null,
  stored_at timestamptz not null default clock_timestamp(),
  primary key (task_run_id, fence)
)`;
