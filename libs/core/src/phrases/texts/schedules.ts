import type { TextTable } from './text-table.js';

/** Schedules of every kind, beyond their cron expressions. */
export const scheduleTexts = {
  'cron-year': { en: 'year', 'zh-CN': '年' },
  'cron-quartz-form': {
    en: '6 fields (second minute hour day month weekday), or 7 with the year last',
    'zh-CN': '6 个字段（秒 分 时 日 月 星期），或以年结尾的 7 个字段',
  },
  'cron-quartz-shapes': { en: '`*`, lists `a,b`, ranges `a-b`, steps `a/n`', 'zh-CN': '`*`、列表 `a,b`、范围 `a-b`、步进 `a/n`' },
  'cron-quartz-day-form': {
    en: '1 to 31: {shapes}, `L` last, `LW` last working day, `L-3` third before the last, `15W` and `L-3W` nearest working day, or `?`',
    'zh-CN': '1 到 31：{shapes}、`L` 最后一天、`LW` 最后一个工作日、`L-3` 最后一天之前的第 3 天、`15W` 与 `L-3W` 最近的工作日，或 `?`',
  },
  'cron-quartz-weekday-form': {
    en: '1 to 7 (Sunday is 1) or SUN to SAT: {shapes}, `6L` last Friday, `2#1` first Monday, or `?`',
    'zh-CN': '1 到 7（1 为星期日）或 SUN 到 SAT：{shapes}、`6L` 最后一个星期五、`2#1` 第一个星期一，或 `?`',
  },
  'cron-item-meaningless': { en: '`{item}` has no meaning in this field', 'zh-CN': '`{item}` 在此字段没有意义' },
  'cron-quartz-days': { en: 'day of month is `{day}` and weekday is `{weekday}`', 'zh-CN': '日为 `{day}`，星期为 `{weekday}`' },
  'cron-quartz-days-form': { en: '`?` in exactly one of day of month and weekday', 'zh-CN': '日与星期中恰有一个为 `?`' },
  'instant-unreadable': { en: '`{text}` is no instant', 'zh-CN': '`{text}` 不是时刻' },
  'instant-form': {
    en: 'a day such as 2026-10-01, or a date and time such as 2026-10-01T08:00, of the zone of the schedule unless it ends in Z or an offset',
    'zh-CN': '日期，如 2026-10-01；或日期与时间，如 2026-10-01T08:00，按计划的时区，除非以 Z 或偏移结尾',
  },
  'end-before-start': { en: '`{end}` is before the start, `{start}`', 'zh-CN': '`{end}` 早于开始时刻 `{start}`' },
  'end-form': { en: 'an instant after the start', 'zh-CN': '晚于开始的时刻' },
  'fixed-delay-has-no-past': {
    en: 'A schedule of a fixed delay has no fires in the past to fill in: when it fires depends on its runs.',
    'zh-CN': '固定延迟的计划没有可补的过去触发：其触发时刻取决于各次运行。',
  },
  'rule-unreadable': { en: 'The rule cannot be read: see its fields ({count}).', 'zh-CN': '无法读取规则：见各字段（{count}）。' },
  'no-such-calendar': { en: 'The project has no calendar `{name}`.', 'zh-CN': '项目没有日历 `{name}`。' },
  'calendar-form': {
    en: 'the name of a calendar of the project: make it under Calendars first',
    'zh-CN': '项目中日历的名称：请先在“日历”中创建',
  },
  'calendar-name-taken': {
    en: 'The project has a calendar `{name}` already: say its version to change it.',
    'zh-CN': '项目已有日历 `{name}`：修改请带上它的版本。',
  },
  'calendar-stale': {
    en: 'The calendar `{name}` was changed meanwhile: read it again.',
    'zh-CN': '日历 `{name}` 已被他人修改：请重新读取。',
  },
  'too-many-calendars': {
    en: 'A project has at most {limit} calendars: remove one.',
    'zh-CN': '一个项目最多 {limit} 个日历：请移除一个。',
  },
  'too-many-calendar-days': { en: 'The file has more than {limit} days.', 'zh-CN': '文件超过 {limit} 天。' },
  'calendar-still-used': {
    en: 'The calendar `{name}` is used by {count} schedule(s): {names}. Take it out of their workflows first.',
    'zh-CN': '日历 `{name}` 正被 {count} 个计划使用：{names}。请先从其工作流中去掉。',
  },
  'icalendar-line': { en: 'Line {line} is not iCalendar: `{text}`', 'zh-CN': '第 {line} 行不是 iCalendar：`{text}`' },
  'icalendar-none': {
    en: 'The text is no iCalendar file: it begins with BEGIN:VCALENDAR and ends with END:VCALENDAR.',
    'zh-CN': '文本不是 iCalendar 文件：应以 BEGIN:VCALENDAR 开始、以 END:VCALENDAR 结束。',
  },
  'schedule-key-without-use': { en: '`{key}` has no meaning with `{rule}`', 'zh-CN': '`{key}` 与 `{rule}` 同用没有意义' },
  'schedule-key-form': { en: '`{key}` only with: {rules}', 'zh-CN': '`{key}` 只与以下同用：{rules}' },
} as const satisfies TextTable;
