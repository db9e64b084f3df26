import type { ScheduleView } from '@medley/contracts';
import { type CronDialect, parseCron, type UpstreamNeed } from '@medley/core';
import { cronInWords } from './cron-words.js';

type Translate = (key: string, values?: Record<string, unknown>) => string;

/** What starts the runs of a schedule, in words of the reader's language. */
export function ruleInWords(rule: NonNullable<ScheduleView['rule']>, t: Translate, language: string): string {
  switch (rule.kind) {
    case 'cron':
      return expressionInWords(rule.cron, rule.dialect, t, language);
    case 'fixed-rate':
      return t('ruleWords.every', { period: periodText(rule.seconds) });
    case 'fixed-delay':
      return t('ruleWords.delay', { period: periodText(rule.seconds) });
    case 'upstream':
      return t('ruleWords.upstream', { upstreams: rule.upstreams.map((need) => needInWords(need, t)).join(t('ruleWords.and')) });
    case 'one-shot':
      return t('ruleWords.once', { at: rule.at.replace('T', ' ') });
  }
}

/** One upstream: which workflow, of which day. */
export function needInWords({ project, workflow, day, hours }: UpstreamNeed, t: Translate): string {
  const name = workflow === null ? t('ruleWords.self') : project === null ? workflow : `${project}/${workflow}`;
  if (workflow !== null && day === 0 && hours === null) return name;
  if (workflow === null) return day === -1 ? name : t('ruleWords.datesBefore', { name, count: -day });
  const ofDay = day === 0 ? name : t('ruleWords.daysBefore', { name, count: -day });
  return hours === null ? ofDay : t('ruleWords.allHours', { name: ofDay });
}

/** An expression of either dialect; of Quartz it says what its fields say in Unix's way, and the years. */
export function expressionInWords(cron: string, dialect: CronDialect, t: Translate, language: string): string {
  if (dialect === 'unix') return cronInWords(cron, t, language);
  const parsed = parseCron(cron, 'UTC', { dialect });
  if (!parsed.ok) return '';
  const fields = parsed.rule.fields;
  const words = cronInWords(fields.slice(fields[0] === '0' ? 1 : 0, 6).join(' '), t, language);
  return fields[6] === '*' ? words : `${words}${t('cronWords.comma')}${t('cronWords.inYears', { years: fields[6] })}`;
}

/** Seconds as the workflow file writes a duration: `1h30m`. */
export function periodText(seconds: number): string {
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
  ] as const) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)}${unit}`);
    rest %= size;
  }
  if (rest > 0 || parts.length === 0) parts.push(`${rest}s`);
  return parts.join('');
}
