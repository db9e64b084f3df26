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
