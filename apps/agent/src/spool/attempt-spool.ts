import type { AttemptRef, Report } from '@medley/contracts';
import { OutputFile } from './output-file.js';
import type { ReportBudget, ReportSource, TakenReports } from './report-source.js';
import { type FinishedBody, type SpoolEntry, SpoolFile, type SpoolLine, type StopIntent } from './spool-lines.js';
import { completeUtf8Length } from './utf8.js';

export const DISK_SHORT_MARKER = 'medley: the disk of the node is short; output is not kept from here on';
const CHUNK_BYTES = 256 * 1024;
const BYTES_PER_TURN = 512 * 1024;
const REPORTS_PER_TURN = 20;

export interface SpoolOptions {
  directory: string;
  ref: AttemptRef;
  logCapBytes: number;
  onAcknowledged: () => void;
  onRefused: (reason: string) => void;
}

/**
 * The reports of one attempt, in order. A report gets its sequence when it is first sent, and the line that binds the sequence to its content
 * (for logs: stream and byte range) is on disk before that. So after a crash the same sequence is sent with the same content, or the server
 * already has it; and while no server answers, output costs no memory and no lines: it waits in its file.
 *
 * Sequence 1 is `started`; it has no line, since the pid file says the same. What the server has acknowledged is not stored: a restored spool
 * first sends its first report alone, and the answer names the highest sequence committed.
 */
export class AttemptSpool implements ReportSource {
  readonly ref: AttemptRef;
  private entries: SpoolEntry[] = [];
  private nextSequence = 1;
  private acknowledged = 0;
  private probing = false;
  private readonly outputs: readonly [OutputFile, OutputFile];
  private bytesLeft: number;
  private markerOffset = 0;
  private readonly markers: string[] = [];
  private logsEnded: 'no' | 'capped' | 'dropped' = 'no';
  private finishedBody: FinishedBody | null = null;
  private finishedQueued = false;
  private readonly file: SpoolFile;
  /** Lines not on disk yet; nothing is sent before they are. */
  private unwritten: SpoolLine[] = [];

  constructor(private readonly options: SpoolOptions) {
    this.file = new SpoolFile(options.directory);
    this.ref = options.ref;
    this.bytesLeft = options.logCapBytes;
    this.outputs = [new OutputFile(options.directory, 'stdout'), new OutputFile(options.directory, 'stderr')];
  }

  /** Continues from what an earlier agent left, and returns why it was stopping the attempt, if it was. */
  async restore(started: boolean): Promise<StopIntent | null> {
    const lines = await this.file.restore();
    this.resume(lines, started);
    return lines.findLast((line) => line.type === 'stop')?.intent ?? null;
  }

  private resume(lines: readonly SpoolLine[], started: boolean): void {
    const numbered = lines.filter((line): line is SpoolEntry => 'sequence' in line);
    if (started && numbered[0]?.sequence !== 1) {
      this.entries.push({ type: 'started', sequence: 1 });
    }
    this.entries.push(...numbered);
    this.nextSequence = (this.entries.at(-1)?.sequence ?? 0) + 1;
    this.probing = this.entries.length > 0;
    for (const entry of numbered) {
      if (entry.type === 'log') {
        this.outputs.find((output) => output.stream === entry.stream)!.offset = entry.to;
        this.bytesLeft -= entry.to - entry.from;
      } else if (entry.type === 'marker') {
        this.markerOffset = entry.from + Buffer.byteLength(entry.text);
      } else if (entry.type === 'finished') {
        this.finishedBody = entry.body;
        this.finishedQueued = true;
      }
    }
    const marked = numbered.some((entry) => entry.type === 'marker');
    if (lines.some((line) => line.type === 'dropped')) {
      this.logsEnded = 'dropped';
      this.markers.push(...(marked ? [] : [`${DISK_SHORT_MARKER}\n`]));
    } else if (marked) {
      this.logsEnded = 'capped';
    }
  }

  get isFinished(): boolean {
    return this.finishedBody !== null;
  }

  /** The process runs: report 1. */
  started(): void {
    this.entries.push({ type: 'started', sequence: this.nextSequence++ });
  }

  /** The process tree is gone; sent after the last byte of output. */
  finish(body: FinishedBody): void {
    this.finishedBody ??= body;
  }

  /** Notes why the attempt is being stopped, before it is: the agent that adopts it must not take the exit for a result. */
  async noteStop(intent: StopIntent): Promise<void> {
    await this.write([{ type: 'stop', intent }]);
  }

  private addMarker(text: string): void {
    this.markers.push(`${text}\n`);
  }

  hasNews(): boolean {
    const finishWaits = this.finishedBody !== null && !this.finishedQueued;
    return this.entries.length > 0 || this.markers.length > 0 || finishWaits || this.outputs.some((output) => this.unread(output) > 0);
  }

  async take(budget: ReportBudget): Promise<TakenReports> {
    if (this.probing) {
      return { reports: [await this.render(this.entries[0]!)], more: false };
    }
    const own = { reports: Math.min(REPORTS_PER_TURN, budget.reports), bytes: BYTES_PER_TURN };
    const reports: Report[] = [];
    for (const entry of this.entries) {
      if (!spend(own, budget, entry.type === 'log' ? entry.to - entry.from : 0)) {
        return { reports, more: true };
      }
      reports.push(await this.render(entry));
    }
    const fresh = await this.numberDurably(own, budget);
    reports.push(...fresh.map((item) => item.report));
    return { reports, more: own.reports <= 0 || own.bytes <= 0 || budget.reports <= 0 || budget.bytes <= 0 };
  }

  acknowledge(sequence: number): boolean {
    const progress = sequence > this.acknowledged;
    this.probing = false;
    this.acknowledged = Math.max(this.acknowledged, sequence);
    this.entries = this.entries.filter((entry) => entry.sequence > sequence);
    if (progress && this.finishedQueued && this.entries.length === 0) {
      this.options.onAcknowledged();
    }
    return progress;
  }

  refuse(reason: string): void {
    this.options.onRefused(reason);
  }

  /** Called when disk is short: from here on no output is kept; what has a sequence but no acknowledgement is sent empty. */
  async dropLogs(): Promise<void> {
    if (this.logsEnded !== 'dropped') {
      const first = this.logsEnded === 'no';
      this.logsEnded = 'dropped';
      await Promise.all(this.outputs.map((output) => output.discard(true)));
      if (first) {
        this.addMarker(DISK_SHORT_MARKER);
      }
      await this.write([{ type: 'dropped' }]);
    }
  }

  /** Frees the output nobody will read, so that a task that prints for ever does not fill the disk. */
  async trim(): Promise<void> {
    const inFlight = this.entries.some((entry) => entry.type === 'log');
    if (this.logsEnded === 'dropped' || (this.logsEnded === 'capped' && !inFlight)) {
      await Promise.all(this.outputs.map((output) => output.discard(false)));
    }
  }

  /** Lines go out together with those an earlier failure left behind. */
  private async write(lines: readonly SpoolLine[]): Promise<void> {
    const pending = [...this.unwritten.splice(0), ...lines];
    if (pending.length > 0) {
      try {
        await this.file.append(pending);
      } catch (error) {
        this.unwritten.unshift(...pending);
        throw error;
      }
    }
  }

  private unread(output: OutputFile): number {
    return this.logsEnded === 'no' ? output.size() - output.offset : 0;
  }

  /**
   * Numbers what is new and binds it on disk. When the disk does not take the lines, output goes back to waiting; state alone is sent all the
   * same, because an end that cannot be reported would hold the reservation for ever.
   */
  private async numberDurably(own: ReportBudget, budget: ReportBudget): Promise<{ entry: SpoolEntry; report: Report }[]> {
    const undo = this.snapshot();
    const fresh = await this.number(own, budget);
    const lines = fresh.map((item) => item.entry);
    try {
      await this.write(lines);
    } catch (error) {
      if (lines.some((line) => line.type === 'log')) {
        this.unwritten.splice(this.unwritten.length - lines.length);
        undo();
        throw error;
      }
    }
    this.entries.push(...lines);
    this.nextSequence += fresh.length;
    return fresh;
  }

  private snapshot(): () => void {
    const offsets = this.outputs.map((output) => output.offset);
    const { bytesLeft, markerOffset, logsEnded, finishedQueued } = this;
    const markers = [...this.markers];
    return () => {
      for (const [index, output] of this.outputs.entries()) {
        output.offset = offsets[index]!;
      }
      // A disk found short meanwhile stays short: that is not part of what was numbered.
      const dropped = this.logsEnded === 'dropped';
      Object.assign(this, { bytesLeft, markerOffset, finishedQueued, logsEnded: dropped ? 'dropped' : logsEnded });
      this.markers.splice(0, this.markers.length, ...markers, ...(dropped && logsEnded === 'no' ? [`${DISK_SHORT_MARKER}\n`] : []));
    };
  }

  /** Gives the next sequences to what is new: output, then markers, then the end. */
  private async number(own: ReportBudget, budget: ReportBudget): Promise<{ entry: SpoolEntry; report: Report }[]> {
    const fresh: { entry: SpoolEntry; report: Report }[] = [];
    const nextSequence = () => this.nextSequence + fresh.length;
    // Set before reading: when the tree is gone now, the bytes read below are all there are.
    const ended = this.finishedBody;
    for (const output of this.outputs) {
      for (;;) {
        const chunk = await this.readChunk(output, ended !== null, own, budget);
        if (chunk === null) {
          break;
        }
        const entry = {
          type: 'log',
          sequence: nextSequence(),
          stream: output.stream,
          from: output.offset,
          to: output.offset + chunk.length,
        } as const;
        output.offset = entry.to;
        this.bytesLeft -= chunk.length;
        fresh.push({ entry, report: this.logReport(entry, chunk) });
      }
    }
    this.noteCap();
    while (this.markers.length > 0 && spend(own, budget, 0)) {
      const text = this.markers.shift()!;
      const entry = { type: 'marker', sequence: nextSequence(), from: this.markerOffset, text } as const;
      this.markerOffset += Buffer.byteLength(text);
      fresh.push({ entry, report: await this.render(entry) });
    }
    const drained = this.markers.length === 0 && this.outputs.every((output) => this.unread(output) <= 0);
    if (ended !== null && !this.finishedQueued && drained && spend(own, budget, 0)) {
      const entry = { type: 'finished', sequence: nextSequence(), body: ended } as const;
      this.finishedQueued = true;
      fresh.push({ entry, report: await this.render(entry) });
    }
    return fresh;
  }

  private async readChunk(output: OutputFile, ended: boolean, own: ReportBudget, budget: ReportBudget): Promise<Buffer | null> {
    const wanted = Math.min(this.unread(output), CHUNK_BYTES, this.bytesLeft, own.bytes, budget.bytes);
    if (wanted <= 0 || !spend(own, budget, wanted)) {
      return null;
    }
    const bytes = await output.read(output.offset, wanted);
    const atEnd = ended && wanted >= this.unread(output);
    const length = atEnd ? bytes.length : completeUtf8Length(bytes);
    if (length > 0) {
      return bytes.subarray(0, length);
    }
    // Only the beginning of a character: it waits for its rest, unless the cap leaves no room for one.
    this.bytesLeft = this.bytesLeft < 4 ? 0 : this.bytesLeft;
    return null;
  }

  private noteCap(): void {
    if (this.bytesLeft <= 0 && this.outputs.some((output) => this.unread(output) > 0)) {
      this.logsEnded = 'capped';
      this.addMarker(`medley: the log is capped at ${this.options.logCapBytes} bytes; later output was not kept`);
    }
  }

  private async render(entry: SpoolEntry): Promise<Report> {
    const head = { ...this.ref, sequence: entry.sequence };
    switch (entry.type) {
      case 'started':
        return { ...head, body: { type: 'started' } };
      case 'marker':
        return { ...head, body: { type: 'log', stream: 'system', offset: entry.from, data: Buffer.from(entry.text).toString('base64') } };
      case 'finished':
        return { ...head, body: entry.body };
      case 'log': {
        const output = this.outputs.find((candidate) => candidate.stream === entry.stream)!;
        const kept = this.logsEnded !== 'dropped';
        return this.logReport(entry, kept ? await output.read(entry.from, entry.to - entry.from) : Buffer.alloc(0));
      }
    }
  }

  private logReport(entry: { sequence: number; stream: 'stdout' | 'stderr'; from: number }, bytes: Buffer): Report {
    const body = { type: 'log', stream: entry.stream, offset: entry.from, data: bytes.toString('base64') } as const;
    return { ...this.ref, sequence: entry.sequence, body };
  }
}

function spend(own: ReportBudget, shared: ReportBudget, bytes: number): boolean {
  if (own.reports <= 0 || shared.reports <= 0 || own.bytes < bytes || shared.bytes < bytes) {
    return false;
  }
  own.reports -= 1;
  shared.reports -= 1;
  own.bytes -= bytes;
  shared.bytes -= bytes;
  return true;
}
