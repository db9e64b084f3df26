import type { TextTable } from './text-table.js';

/** Parameters, their values, and the expressions that refer to values. */
export const parameterTexts = {
  'parameter-undeclared': {
    en: 'the workflow declares no parameter `{name}`{hint}',
    'zh-CN': '工作流没有声明参数 `{name}`{hint}',
  },
  'parameter-declared-form': { en: 'a parameter declared under `parameters`', 'zh-CN': '在 `parameters` 中声明的参数' },
  'no-parameters': { en: 'no parameters', 'zh-CN': '没有参数' },
  'parameter-without-value': { en: '`{name}` has no value and no default', 'zh-CN': '`{name}` 没有值，也没有默认值' },
  'parameter-type-form': { en: '{type}', 'zh-CN': '{type}' },
  'items-without-list': { en: '`items` belongs to `type: list`', 'zh-CN': '`items` 只用于 `type: list`' },
  'schedule-gives-no-value': {
    en: 'the schedule gives no value for `{name}`, which has no default',
    'zh-CN': '调度没有给出 `{name}` 的值，而它没有默认值',
  },
  'a-date': { en: 'a date as yyyy-mm-dd', 'zh-CN': ' yyyy-mm-dd 形式的日期' },
  'list-of': { en: 'a list, each item {form}', 'zh-CN': '列表，每一项为{form}' },
  'item-fault': { en: 'item {number}: {fault}', 'zh-CN': '第 {number} 项：{fault}' },
  'whole-number-inexact': {
    en: '{value} is beyond the whole numbers that are kept exactly: {bound}',
    'zh-CN': '{value} 超出可精确保存的整数范围：{bound}',
  },
  'never-of-form': { en: '`{value}` can never be {form}', 'zh-CN': '`{value}` 不可能是{form}' },
  'not-allowed-value': { en: '{value} is not among the allowed values', 'zh-CN': '{value} 不在允许的值之中' },
  'it-is': { en: '{value} is', 'zh-CN': '{value}' },
  'has-items': { en: 'it has {count} items,', 'zh-CN': '它有 {count} 项，' },
  'has-characters': { en: 'it has {count} characters,', 'zh-CN': '它有 {count} 个字符，' },
  'below-min': { en: '{has} less than {limit}', 'zh-CN': '{has}小于 {limit}' },
  'above-max': { en: '{has} more than {limit}', 'zh-CN': '{has}大于 {limit}' },
  'pattern-unmatched': { en: '{value} does not match `{pattern}`', 'zh-CN': '{value} 不匹配 `{pattern}`' },
  'matching-text': {
    en: 'a text of at most {limit} characters that matches `{pattern}` as a whole',
    'zh-CN': '整体匹配 `{pattern}`、且不超过 {limit} 个字符的文本',
  },
  'rule-without-meaning': { en: '`{key}` has no meaning with `type: {type}`', 'zh-CN': '`{key}` 对 `type: {type}` 没有意义' },
  'required-beside-default': {
    en: '`required: true` has no meaning beside a default; keep one of the two',
    'zh-CN': '已有默认值时 `required: true` 没有意义；请二选一',
  },
  'max-below-min': { en: '{max} is less than the `min` of {min}', 'zh-CN': '{max} 小于 `min` 的 {min}' },
  'pattern-unusable': { en: '`{pattern}` cannot be used as a pattern: {fault}', 'zh-CN': '`{pattern}` 不能用作模式：{fault}' },
  'pattern-too-long': { en: 'it is longer than {limit} characters', 'zh-CN': '超过 {limit} 个字符' },
  'pattern-unreadable': { en: '{english}', 'zh-CN': '它不是正则表达式' },
  'pattern-looks-around': { en: 'it refers back or looks around', 'zh-CN': '含有反向引用或环视' },
  'pattern-repeats-repeated': { en: 'it repeats something that repeats', 'zh-CN': '重复之内还有重复' },
  'pattern-repeats-often': { en: 'it repeats without a fixed count more than {limit} times', 'zh-CN': '不定次数的重复超过 {limit} 处' },

  'template-form': { en: 'a text, with `{example}` where a value belongs', 'zh-CN': '文本，需要取值处写 `{example}`' },
  'several-faults': { en: '{first}; {second}', 'zh-CN': '{first}；{second}' },
  'reference-not-known-yet': {
    en: '`{name}` has no value while parameters are resolved',
    'zh-CN': '解析参数时 `{name}` 还没有值',
  },
  'reference-unclosed': { en: '`{opening}` has no closing `{closing}`', 'zh-CN': '`{opening}` 没有对应的 `{closing}`' },
  'reference-empty': { en: 'an empty expression; write one of {names}', 'zh-CN': '表达式为空；请写以下之一：{names}' },
  'reference-without-value': { en: '`{name}`: it has no value here', 'zh-CN': '`{name}`：此处没有值' },
  'reference-only-scheduled': {
    en: '`{name}`: only runs started by a schedule have it; give the value as a parameter',
    'zh-CN': '`{name}`：只有由调度启动的运行才有；请以参数给出该值',
  },
} as const satisfies TextTable;
