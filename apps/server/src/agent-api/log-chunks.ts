import type { LogStream, Report } from '@medley/contracts';
import type { Sql } from '@medley/database';

/** Numbers of the streams in `log_chunks.stream`. */
export const logStreamNumbers: Record<LogStream, number> = { stdout: 1, stderr: 2, system: 3 };

/** Stores log reports; a chunk that is there already is left as it is. */
export async function writeLogChunks(sql: Sql, reports: readonly Report[]): Promise<void> {
  const chunks = reports.flatMap((report) => (report.body.type === 'log' ? [{ attemptId: report.attemptId, ...report.body }] : []));
  if (chunks.length === 0) return;
  await sql.query(
    `insert into log_chunks (attempt_id, stream, byte_offset, data)
     select attempt_id, stream, byte_offset, decode(data, 'base64') from unnest($1::uuid[], $2::smallint[], $3::bigint[], $4::text[]) as c(attempt_id, stream, byte_offset, data)
     on conflict do nothing`,
    [
      chunks.map((chunk) => chunk.attemptId),
      chunks.map((chunk) => logStreamNumbers[chunk.stream]),
      chunks.map((chunk) => chunk.offset),
      chunks.map((chunk) => canonicalBase64(chunk.data)),
    ],
  );
}

/** Postgres refuses the whole statement for one character that does not belong. */
function canonicalBase64(data: string): string {
  return Buffer.from(data, 'base64').toString('base64');
}
