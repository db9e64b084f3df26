import { parseDuration, type ScheduleDefinition } from '@medley/contracts';
import { readPointer } from '@medley/core';

type Webhook = NonNullable<ScheduleDefinition['webhook']>;

/** A webhook as the form holds it. Of `pointers` an empty one gives its parameter nothing; without `isMapped` the fields of the payload are parameters by their names. */
export interface WebhookDraft {
  isMapped: boolean;
  pointers: Record<string, string>;
  perMinute: number;
  tolerance: string;
}

const usual = { perMinute: 60, tolerance: '5m' };

export function draftOfWebhook(webhook: Webhook | undefined): WebhookDraft {
  return {
    isMapped: webhook?.payload !== undefined,
    pointers: { ...webhook?.payload },
    perMinute: webhook?.perMinute ?? usual.perMinute,
    tolerance: webhook?.tolerance ?? usual.tolerance,
  };
}

/** What is as usual and was not named before stands nowhere. */
export function webhookAsWritten({ isMapped, pointers, perMinute, tolerance }: WebhookDraft, before: Webhook | undefined): Webhook {
  const given = Object.entries(pointers).filter(([, pointer]) => pointer.trim() !== '');
  return {
    ...(isMapped ? { payload: Object.fromEntries(given.map(([name, pointer]) => [name, pointer.trim()])) } : {}),
    ...(perMinute === usual.perMinute && before?.perMinute === undefined ? {} : { perMinute }),
    ...(tolerance.trim() === usual.tolerance && before?.tolerance === undefined ? {} : { tolerance: tolerance.trim() }),
  };
}

/** The parameters whose place in the payload is none. */
export function faultyPointers({ isMapped, pointers }: WebhookDraft): string[] {
  if (!isMapped) return [];
  return Object.keys(pointers).filter((name) => pointers[name]!.trim() !== '' && readPointer(pointers[name]!.trim()) === null);
}

export function isTolerance(text: string): boolean {
  const seconds = parseDuration(text.trim());
  return seconds !== null && seconds >= 1 && seconds <= 86_400;
}
