import type { TextTable } from './text-table.js';

/** Fields of requests; each text reads on after the path of its field. */
export const requestTexts = {
  'unknown-field': { en: 'is not a known {kind}{hint}', 'zh-CN': '不是已知的{kind}{hint}' },
  'a-field': { en: 'field', 'zh-CN': '字段' },
  'a-query-parameter': { en: 'query parameter', 'zh-CN': '查询参数' },
  'a-field-of-no-body': { en: 'field; this operation takes no body', 'zh-CN': '字段；此操作没有请求体' },
  'a-query-parameter-of-none': { en: 'query parameter; this operation takes none', 'zh-CN': '查询参数；此操作没有查询参数' },
} as const satisfies TextTable;
