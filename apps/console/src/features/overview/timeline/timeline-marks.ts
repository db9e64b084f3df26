import type { TimelineRow, TimelineRun } from '@medley/contracts';
import type { RunState } from '@medley/core';
import type { Bounds } from '../time-range.js';

/** Where a run is drawn: from its creation, with the part before its first task told apart. Pixels. */
export interface RunMark {
  run: TimelineRun;
  state: RunState;
  lane: number;
  x: number;
  width: number;
  /** How much of the width it waited for its first task. */
  waitWidth: number;
}

export interface FireMark {
  x: number;
  at: string;
  schedule: string;
}

export interface RowMarks {
  row: TimelineRow;
  runs: RunMark[];
  fires: FireMark[];
  lanes: number;
}

export interface Plot {
  bounds: Bounds;
  nowMs: number;
  width: number;
}

const NARROWEST = 4;
const GAP = 2;
const MOST_LANES = 3;

export function xOf(atMs: number, { bounds, width }: Pick<Plot, 'bounds' | 'width'>): number {
  return ((atMs - bounds.fromMs) / (bounds.toMs - bounds.fromMs)) * width;
}

/** The bars and fires of a row. Runs that overlap stand in lanes, the first that is free; beyond three lanes they share the last one. */
export function marksOf(row: TimelineRow, plot: Plot): RowMarks {
  const ends: number[] = [];
  const runs = row.runs.flatMap((run): RunMark[] => {
    const end = run.finishedAt === null ? plot.nowMs : Date.parse(run.finishedAt);
    const created = Date.parse(run.createdAt);
    if (end < plot.bounds.fromMs || created > plot.bounds.toMs) return [];
    const x = Math.max(0, xOf(created, plot));
    const width = Math.max(NARROWEST, Math.min(plot.width, xOf(end, plot)) - x);
    const started = xOf(run.startedAt === null ? end : Date.parse(run.startedAt), plot);
    const free = ends.findIndex((each) => each + GAP <= x);
    const lane = free >= 0 ? free : Math.min(ends.length, MOST_LANES - 1);
    ends[lane] = Math.max(ends[lane] ?? 0, x + width);
    return [{ run, state: run.state, lane, x, width, waitWidth: Math.min(width, Math.max(0, started - x)) }];
  });
  const fires = row.fires.flatMap(({ at, schedule }): FireMark[] => {
    const x = xOf(Date.parse(at), plot);
    return x < 0 || x > plot.width || Date.parse(at) < plot.nowMs ? [] : [{ x, at, schedule }];
  });
  return { row, runs, fires, lanes: Math.max(1, ends.length) };
}
