import type { TextTable } from './text-table.js';

/** Cron expressions, zones, and what becomes of missed fires. */
export const cronTexts = {
  'cron-fault': { en: 'cron: {fault}', 'zh-CN': 'cron：{fault}' },
  'cron-field-fault': { en: '{field}: {fault}', 'zh-CN': '{field}：{fault}' },
  'cron-named-field-fault': { en: 'cron, {field}: {fault}', 'zh-CN': 'cron 的 {field}：{fault}' },
  'cron-empty': { en: 'it is empty', 'zh-CN': '为空' },
  'cron-one-field': { en: 'it has 1 field', 'zh-CN': '只有 1 个字段' },
  'cron-field-count': { en: 'it has {count} fields', 'zh-CN': '有 {count} 个字段' },
  'cron-form': {
    en: '5 fields (minute hour day month weekday), or 6 with seconds first',
    'zh-CN': '5 个字段（分 时 日 月 星期），或以秒开头的 6 个字段',
  },
  'cron-character': {
    en: '`{text}` has `{character}`, which has no meaning in this field',
    'zh-CN': '`{text}` 中的 `{character}` 在此字段没有意义',
  },
  'cron-step-at-number': {
    en: '`{item}` starts a step at one number; write `{better}`',
    'zh-CN': '`{item}` 从单个数字开始步进；请写 `{better}`',
  },
  'cron-range-backwards': {
    en: '`{item}` cannot be read: the range ends before it begins',
    'zh-CN': '无法读取 `{item}`：范围的终点小于起点',
  },
  'cron-step-zero': { en: '`{item}` cannot be read: a step is at least 1', 'zh-CN': '无法读取 `{item}`：步长至少为 1' },
  'cron-item-empty': { en: '`{text}` cannot be read: an entry of the list is empty', 'zh-CN': '无法读取 `{text}`：列表中有空项' },
  'cron-unreadable': { en: '`{text}` cannot be read', 'zh-CN': '无法读取 `{text}`' },
  'cron-never-fires': { en: '`{cron}` never fires: there is no such date', 'zh-CN': '`{cron}` 永远不会触发：没有这样的日期' },
  'cron-date-form': { en: 'a date that exists', 'zh-CN': '存在的日期' },
  'cron-second': { en: 'second', 'zh-CN': '秒' },
  'cron-minute': { en: 'minute', 'zh-CN': '分' },
  'cron-hour': { en: 'hour', 'zh-CN': '时' },
  'cron-day-of-month': { en: 'day of month', 'zh-CN': '日' },
  'cron-month': { en: 'month', 'zh-CN': '月' },
  'cron-weekday': { en: 'weekday', 'zh-CN': '星期' },
  'cron-shapes': { en: '`*`, lists `a,b`, ranges `a-b`, steps `*/n`', 'zh-CN': '`*`、列表 `a,b`、范围 `a-b`、步进 `*/n`' },
  'cron-plain-form': { en: '{min} to {max}: {shapes}', 'zh-CN': '{min} 到 {max}：{shapes}' },
  'cron-day-form': {
    en: '1 to 31: {shapes}, `L` last, `15W` nearest working day',
    'zh-CN': '1 到 31：{shapes}、`L` 最后一天、`15W` 最近的工作日',
  },
  'cron-month-form': { en: '1 to 12 or JAN to DEC: {shapes}', 'zh-CN': '1 到 12 或 JAN 到 DEC：{shapes}' },
  'cron-weekday-form': {
    en: '0 to 7 (Sunday is 0 and 7) or SUN to SAT: {shapes}, `5L`, `MON#2`',
    'zh-CN': '0 到 7（0 和 7 为星期日）或 SUN 到 SAT：{shapes}、`5L`、`MON#2`',
  },
  'zone-unknown': { en: '`{zone}` is not a known zone', 'zh-CN': '`{zone}` 不是已知的时区' },
  'zone-form': {
    en: 'an IANA zone such as Asia/Shanghai, Europe/Berlin or UTC',
    'zh-CN': 'IANA 时区，如 Asia/Shanghai、Europe/Berlin 或 UTC',
  },
  'misfire-max-without-use': { en: '`max` has no meaning with `{policy}`', 'zh-CN': '`max` 与 `{policy}` 同用没有意义' },
  'misfire-max-form': { en: '`max` only with `policy: run-all`', 'zh-CN': '`max` 只与 `policy: run-all` 同用' },
} as const satisfies TextTable;
