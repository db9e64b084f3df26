import type { Report, ReportAck } from '@medley/contracts';
import { inTransaction, type Sql } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { groupBy } from '../settlement/group-by.js';
import { Settlement } from '../settlement/settlement.js';
import type { AttemptEnding, Settled } from '../settlement/settlement.types.js';
import type { ChangeEvent } from '../wake/change-event.js';
import { WakeBus } from '../wake/wake-bus.js';
import { Batcher } from './batcher.js';
import { writeLogChunks } from './log-chunks.js';

/** In units of one report or 4 KiB of log: 8 MiB at most in one statement. */
const MAX_BATCH = 2000;
const UNIT_BYTES = 4096;

interface NodeReports {
  nodeId: string;
  reports: readonly Report[];
}

interface KnownAttempt {
  id: string;
  node_id: string;
  fence: number;
  run_id: string;
  project_id: string;
  report_sequence: number;
  ended: boolean;
  lost: boolean;
}

/** The reports of one attempt in a batch, and up to where they can be applied. */
interface Progress {
  attempt: KnownAttempt;
  applied: Report[];
  sequence: number;
}

// What nobody has claimed has nothing to report: taking its reports would use up the sequence numbers of the agent that is to claim it.
const readAttempts = `
select a.id, a.node_id, a.fence, a.run_id, r.project_id, a.report_sequence, a.finished_at is not null as ended, a.state = 'lost' as lost
from attempts a join runs r on r.id = a.run_id where a.id = any($1) and a.state <> 'dispatched'`;

/**
 * Applies reports in order and once per attempt, those of all agents that arrive together in one transaction, and acknowledges what is committed. Logs of an
 * attempt that was fenced off are still kept; its result is refused.
 */
@Injectable()
export class ReportsService {
  private readonly batcher = new Batcher<NodeReports, ReportAck[]>(
    (batch) => this.apply(batch),
    ({ reports }) => reports.reduce((size, { body }) => size + 1 + (body.type === 'log' ? body.data.length / UNIT_BYTES : 0), 0),
    MAX_BATCH,
  );

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {}

  /** One acknowledgement per attempt that the reports name. */
  report(nodeId: string, reports: readonly Report[]): Promise<ReportAck[]> {
    return this.batcher.submit({ nodeId, reports });
  }

  private async apply(batch: readonly NodeReports[]): Promise<ReportAck[][]> {
    const all = batch.flatMap(({ nodeId, reports }) => reports.map((report) => ({ nodeId, report })));
    const { settled, progress, logged } = await inTransaction(this.source, (sql) => this.store(sql, all));
    this.settlement.announce(settled);
    this.wakeBus.changed(logged);
    return batch.map(({ nodeId, reports }) =>
      [...groupBy(reports, (report) => report.attemptId)].map(([attemptId, own]) =>
        acknowledge(nodeId, attemptId, own[0]!.fence, progress),
      ),
    );
  }

  private async store(sql: Sql, all: readonly { nodeId: string; report: Report }[]) {
    const byAttempt = groupBy(all, ({ report }) => report.attemptId);
    const known = await sql.query<KnownAttempt>(readAttempts, [[...byAttempt.keys()]]);
    const progress = new Map(known.map((attempt) => [attempt.id, advance(attempt, byAttempt.get(attempt.id)!)]));
    const applied = [...progress.values()].flatMap(({ applied }) => applied);
    const endings = [...progress.values()].flatMap(endingOf);
    const ended = new Set(endings.map((ending) => ending.attemptId));
    const others = [...progress.values()].filter(({ attempt }) => !ended.has(attempt.id));
    const settled = await this.settle(sql, endings, others.filter(hasMoved));
    await writeLogChunks(sql, applied);
    return { settled, progress, logged: loggedAttempts(progress) };
  }

  private async settle(sql: Sql, endings: readonly AttemptEnding[], moved: readonly Progress[]): Promise<Settled> {
    const ids = moved.map(({ attempt }) => attempt.id);
    if (endings.length > 0) return this.settlement.endAttempts(sql, endings, ids, () => storeSequences(sql, moved));
    await storeSequences(sql, moved);
    return { ended: [], readied: [], retrying: [], finishedRuns: [], learned: [], attempts: [] };
  }
}

function hasMoved({ applied }: Progress): boolean {
  return applied.length > 0;
}

async function storeSequences(sql: Sql, moved: readonly Progress[]): Promise<void> {
  if (moved.length === 0) return;
  await sql.query(
    `with moved as (select * from unnest($1::uuid[], $2::int[], $3::bool[]) as m(id, sequence, started)),
     locked as (select id from attempts where id = any($1) order by id for update)
     update attempts a set report_sequence = greatest(a.report_sequence, m.sequence),
       started_at = case when m.started then coalesce(a.started_at, clock_timestamp()) else a.started_at end
     from moved m join locked l on l.id = m.id where a.id = m.id`,
    [moved.map(({ attempt }) => attempt.id), moved.map(({ sequence }) => sequence), moved.map(hasStarted)],
  );
}

/** Takes the reports that continue what is stored without a gap; older ones are known, later ones wait for the missing. */
function advance(attempt: KnownAttempt, received: readonly { nodeId: string; report: Report }[]): Progress {
  const own = received.filter(({ nodeId, report }) => nodeId === attempt.node_id && report.fence === attempt.fence);
  const applied: Report[] = [];
  let sequence = attempt.report_sequence;
  for (const { report } of own.sort((left, right) => left.report.sequence - right.report.sequence)) {
    if (report.sequence !== sequence + 1) continue;
    sequence++;
    applied.push(report);
  }
  return { attempt, applied, sequence };
}

/** Its place among the reports is stored in the same write: most attempts end with the only report they have. */
function endingOf(progress: Progress): AttemptEnding[] {
  const body = progress.applied.map((report) => report.body).find((each) => each.type === 'finished');
  if (body === undefined) return [];
  const { outcome, exitCode, signal, detail, explanation, runSeconds, outputs } = body;
  const report = { sequence: progress.sequence, started: hasStarted(progress) };
  return [{ attemptId: progress.attempt.id, outcome, exitCode, signal, detail, explanation, runSeconds, outputs, report }];
}

function hasStarted({ applied }: Progress): boolean {
  return applied.some((report) => report.body.type === 'started');
}

function loggedAttempts(progress: ReadonlyMap<string, Progress>): ChangeEvent[] {
  return [...progress.values()]
    .filter(({ applied }) => applied.some((report) => report.body.type !== 'finished'))
    .map((each) => ({
      // What only logs is no change of the attempt: whoever looks at its run need not read that again with every line.
      entity: hasStarted(each) ? 'attempt' : 'log',
      id: each.attempt.id,
      runId: each.attempt.run_id,
      projectId: each.attempt.project_id,
    }));
}

/**
 * An attempt that had ended before this batch is refused: whoever still reports on it was fenced off. Repeating its own last report is not refused, but that
 * of a lost attempt is refused each time: its first refusal may not have arrived.
 */
function acknowledge(nodeId: string, attemptId: string, fence: number, progress: ReadonlyMap<string, Progress>): ReportAck {
  const known = progress.get(attemptId);
  if (!known || known.attempt.node_id !== nodeId || known.attempt.fence !== fence) {
    return { attemptId, fence, sequence: 0, refused: 'the server knows no such attempt of this node' };
  }
  const superseded = known.attempt.lost || (known.attempt.ended && known.applied.length > 0);
  return {
    attemptId,
    fence,
    sequence: known.sequence,
    refused: superseded ? 'the attempt has already ended for the server; its result does not count' : null,
  };
}
