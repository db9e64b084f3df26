import { nextClockChange } from './clock-changes.js';
import { offsetMs } from './zone.js';

const dayMs = 86_400_000;

/** `yyyy-mm-dd`, or with `Thh:mm` or `Thh:mm:ss`, with or without an offset. A blank may stand for the T. */
const pattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:?\d\d)?)?$/;

export interface LocalInstant {
  ms: number;
  /** Only a day was named: the instant is its beginning. */
  isDay: boolean;
}

/**
 * The instant that a text names: of a zone's clocks, unless it says its offset itself. A time that does not exist is the end of the gap; one that comes twice is the first.
 * Null for anything else, and for days that no calendar has.
 */
export function readLocalInstant(text: string, zone: string): LocalInstant | null {
  const match = pattern.exec(text.trim());
  if (match === null) return null;
  const [, day, time, offset] = match;
  const wallMs = Date.parse(`${day}T${time ?? '00:00'}Z`);
  if (Number.isNaN(wallMs) || new Date(wallMs).toISOString().slice(0, 10) !== day) return null;
  if (offset === undefined) return { ms: instantOfWall(wallMs, zone), isDay: time === undefined };
  const ms = Date.parse(`${day}T${time}${offset}`);
  return Number.isNaN(ms) ? null : { ms, isDay: false };
}

/** The first instant at which the clocks of a zone show a time, or the end of the gap that it falls into. */
export function instantOfWall(wallMs: number, zone: string): number {
  const candidates = [wallMs - dayMs, wallMs + dayMs].map((nearMs) => wallMs - offsetMs(nearMs, zone)).sort((left, right) => left - right);
  const exact = candidates.find((ms) => ms + offsetMs(ms, zone) === wallMs);
  if (exact !== undefined) return exact;
  return nextClockChange(zone, candidates[0]! - dayMs, candidates[1]! + dayMs)?.atMs ?? candidates[0]!;
}

/** The instant at which a calendar day (yyyy-mm-dd) begins in a zone: the first at which its clocks show that date. */
export function startOfDay(day: string, zone: string): number {
  return instantOfWall(Date.parse(`${day}T00:00:00Z`), zone);
}
