import type { TextTable } from './text-table.js';

/** Label expressions. */
export const labelTexts = {
  'labels-unreadable': { en: 'the labels expression cannot be read: {fault}', 'zh-CN': '无法读取标签表达式：{fault}' },
  'labels-form': { en: 'e.g. `os = linux and zone in (dc1, dc2)`', 'zh-CN': '例如 `os = linux and zone in (dc1, dc2)`' },
  'labels-fault': {
    en: 'at position {position}: expected {expected}, found {found}',
    'zh-CN': '第 {position} 个字符处：应为{expected}，实为 {found}',
  },
  'labels-end': { en: 'the end of the expression', 'zh-CN': '表达式末尾' },
  'labels-operator-or-end': { en: '`and`, `or` or the end', 'zh-CN': ' `and`、`or` 或末尾' },
  'labels-operator-or-close': { en: '`and`, `or` or )', 'zh-CN': ' `and`、`or` 或 )' },
  'labels-name': { en: 'a label name', 'zh-CN': '标签名' },
  'labels-term': { en: 'a label name, `not`, `exists` or (', 'zh-CN': '标签名、`not`、`exists` 或 (' },
  'labels-value': { en: 'a value', 'zh-CN': '值' },
  'labels-comparison': { en: '=, !=, `in`, `not in` or `exists`', 'zh-CN': ' =、!=、`in`、`not in` 或 `exists`' },
  'labels-in-after-not': { en: '`in` after `not`', 'zh-CN': ' `not` 之后的 `in`' },
  'labels-list': { en: '( and a list of values', 'zh-CN': ' ( 和值的列表' },
  'labels-list-end': { en: 'a comma or )', 'zh-CN': '逗号或 )' },
  'labels-nesting': { en: 'at most {limit} levels of nesting', 'zh-CN': '最多 {limit} 层嵌套' },
  'labels-closing-quote': { en: 'a closing {quote}', 'zh-CN': '右引号 {quote}' },
  'labels-token': {
    en: 'a name, a quoted value, =, !=, a comma or a parenthesis',
    'zh-CN': '名称、带引号的值、=、!=、逗号或括号',
  },
} as const satisfies TextTable;
