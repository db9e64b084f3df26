import type { NodeState } from '@medley/contracts';
import type { AttemptState, RunState, TaskRunState } from '@medley/core';
import type { GlyphName } from './glyphs.js';

export type Tone =
  | 'neutral'
  | 'muted'
  | 'ready'
  | 'dispatch'
  | 'running'
  | 'success'
  | 'failed'
  | 'blocked'
  | 'retry'
  | 'stopping'
  | 'lost';

/** How a state looks everywhere: colour, sign and (through i18n) word. */
export interface StatusLook {
  tone: Tone;
  glyph: GlyphName;
  /** Key of its word. */
  label: string;
}

export type Operation = 'cordoned' | 'draining';
export type AnyState = RunState | TaskRunState | AttemptState | NodeState | Operation;

const look = (tone: Tone, glyph: GlyphName, label: string): StatusLook => ({ tone, glyph, label });

/** States that bear one name in several tables mean the same thing, so one entry serves them all. */
export const statusCatalogue: Readonly<Record<AnyState, StatusLook>> = {
  queued: look('neutral', 'clock', 'status.queued'),
  waiting: look('neutral', 'clock', 'status.waiting'),
  ready: look('ready', 'play', 'status.ready'),
  blocked: look('blocked', 'blocked', 'status.blocked'),
  dispatched: look('dispatch', 'send', 'status.dispatched'),
  running: look('running', 'running', 'status.running'),
  'retry-wait': look('retry', 'retry', 'status.retryWait'),
  paused: look('blocked', 'pause', 'status.paused'),
  cancelling: look('stopping', 'stop', 'status.cancelling'),
  stopping: look('stopping', 'stop', 'status.stopping'),
  succeeded: look('success', 'check', 'status.succeeded'),
  failed: look('failed', 'cross', 'status.failed'),
  timed_out: look('failed', 'alarm', 'status.timedOut'),
  lost: look('lost', 'lost', 'status.lost'),
  skipped: look('muted', 'skip', 'status.skipped'),
  cancelled: look('muted', 'slash', 'status.cancelled'),
  online: look('success', 'online', 'status.online'),
  unreachable: look('blocked', 'warn', 'status.unreachable'),
  offline: look('muted', 'power', 'status.offline'),
  cordoned: look('blocked', 'lock', 'status.cordoned'),
  draining: look('stopping', 'drain', 'status.draining'),
};

export function toneColor(tone: Tone): string {
  return `var(--tone-${tone})`;
}

export function toneSoft(tone: Tone): string {
  return `var(--tone-${tone}-soft)`;
}
