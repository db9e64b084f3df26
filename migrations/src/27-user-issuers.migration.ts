import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which provider a subject is from: two providers may call different people the same. Users of before belong to the provider that signs them in next. */
export class UserIssuers1764600000027 implements MigrationInterface {
  name = 'UserIssuers1764600000027';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table users add column issuer text');
    await queryRunner.query('drop index users_subject');
    await queryRunner.query(
      `create unique index users_subject on users (source, subject, coalesce(issuer, '')) where removed_at is null and subject is not null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index users_subject');
    await queryRunner.query(
      'create unique index users_subject on users (source, subject) where removed_at is null and subject is not null',
    );
    await queryRunner.query('alter table users drop column issuer');
  }
}
