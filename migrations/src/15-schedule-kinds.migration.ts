import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Schedules of other kinds than cron, and their policies. `cron` is the expression of a cron schedule, `rule` whatever else its kind needs. A fire is due at `next_fire_at`, or at
 * `delayed_until` where jitter moves it; while a run is waited for (`held_by_run_id`) nothing is due, and fires from `held_from` on are late but not missed.
 */
export class ScheduleKinds1764600000015 implements MigrationInterface {
  readonly name = 'ScheduleKinds1764600000015';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table schedules
      alter column cron drop not null,
      add column kind text not null default 'cron' check (kind in ('cron', 'fixed-rate', 'fixed-delay', 'one-shot', 'webhook', 'upstream')),
      add column rule jsonb not null default '{}',
      add column starts text,
      add column ends text,
      add column overlap text not null default 'allow' check (overlap in ('allow', 'skip', 'queue', 'cancel-running')),
      add column jitter_seconds double precision not null default 0,
      add column delayed_until timestamptz,
      add column held_by_run_id uuid,
      add column held_from timestamptz,
      add column passed_over jsonb,
      add constraint schedules_cron check ((kind = 'cron') = (cron is not null))`);
    await runner.query('drop index schedules_due');
    await runner.query(`create index schedules_due on schedules (coalesce(delayed_until, next_fire_at))
      where enabled and removed_at is null and next_fire_at is not null and held_by_run_id is null`);
    await runner.query('create index schedules_held on schedules (held_by_run_id) where held_by_run_id is not null');
    await runner.query(`create index runs_schedule_active on runs (schedule_id, id) where trigger = 'schedule' and finished_at is null`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations are not taken back: restore a backup, or add a migration that undoes this one.');
  }
}
