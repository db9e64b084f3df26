import type { TextTable } from './text-table.js';

/** Fields of requests; each text reads on after the path of its field. */
export const requestTexts = {
  'unknown-field': { en: 'is not a known {kind}{hint}', 'zh-CN': '不是已知的{kind}{hint}' },
  'a-field': { en: 'field', 'zh-CN': '字段' },
  'a-query-parameter': { en: 'query parameter', 'zh-CN': '查询参数' },
  'a-field-of-no-body': { en: 'field; this operation takes no body', 'zh-CN': '字段；此操作没有请求体' },
  'a-query-parameter-of-none': { en: 'query parameter; this operation takes none', 'zh-CN': '查询参数；此操作没有查询参数' },
  'field-missing': { en: 'is missing', 'zh-CN': '缺少' },
  'field-empty': { en: 'is empty', 'zh-CN': '为空' },
  'field-not': { en: 'is not {form}', 'zh-CN': '不是{form}' },
  'field-not-among': { en: 'has to be one of {names}', 'zh-CN': '须为以下之一：{names}' },
  'field-other-than': { en: 'has to be {value}', 'zh-CN': '须为 {value}' },
  'field-misnamed': { en: 'cannot be named `{name}`', 'zh-CN': '不能命名为 `{name}`' },
  'field-too-long': { en: 'is too long: at most {limit} characters', 'zh-CN': '过长：最多 {limit} 个字符' },
  'field-too-short': { en: 'is too short: at least {limit} characters', 'zh-CN': '过短：至少 {limit} 个字符' },
  'field-too-many': { en: 'has too many entries: at most {limit}', 'zh-CN': '项数过多：最多 {limit} 项' },
  'field-too-few': { en: 'has too few entries: at least {limit}', 'zh-CN': '项数过少：至少 {limit} 项' },
  'field-too-large': { en: 'is too large: at most {limit}', 'zh-CN': '过大：最多 {limit}' },
  'field-not-less': { en: 'is too large: less than {limit}', 'zh-CN': '过大：须小于 {limit}' },
  'field-too-small': { en: 'is too small: at least {limit}', 'zh-CN': '过小：至少 {limit}' },
  'field-not-more': { en: 'is too small: more than {limit}', 'zh-CN': '过小：须大于 {limit}' },
  'field-no-id': {
    en: 'is not an id (a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057)',
    'zh-CN': '不是编号（UUID，如 01890a5d-ac96-774b-bcce-b302099a8057）',
  },
  'field-no-instant': {
    en: 'is not an instant in UTC (such as 2026-03-29T01:00:00Z)',
    'zh-CN': '不是 UTC 时刻（如 2026-03-29T01:00:00Z）',
  },
  'field-not-allowed': { en: 'is not allowed here', 'zh-CN': '此处不允许' },
  'and-also': { en: '{first}, and {second}', 'zh-CN': '{first}，且{second}' },
} as const satisfies TextTable;
