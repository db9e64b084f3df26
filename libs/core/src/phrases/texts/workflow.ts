import type { TextTable } from './text-table.js';

/** The workflow file as a whole: its keys, names and limits. */
export const workflowTexts = {
  'no-workflow': { en: 'the file holds no workflow', 'zh-CN': '文件中没有工作流' },
  'workflow-form': {
    en: 'a map with `medley: 1`, `project`, `workflow` and `tasks`',
    'zh-CN': '含有 `medley: 1`、`project`、`workflow` 和 `tasks` 的映射',
  },
  'file-version-unknown': { en: '{value} is not a known version of the file format', 'zh-CN': '{value} 不是已知的文件格式版本' },
  'file-version-form': { en: '`medley: 1`', 'zh-CN': '`medley: 1`' },
  'key-unknown': { en: 'unknown key {key}{hint}', 'zh-CN': '未知的键 {key}{hint}' },
  'key-later': { en: '`{key}` is not available yet in this version', 'zh-CN': '本版本尚不支持 `{key}`' },
  'kind-later': { en: 'the kind {kind} is not available yet in this version', 'zh-CN': '本版本尚不支持类型 {kind}' },
  'key-foreign': { en: '`{key}` has no meaning in {where}', 'zh-CN': '`{key}` 在{where}中没有意义' },
  'more-faults': { en: 'and {count} more; mend these first', 'zh-CN': '另有 {count} 处；请先修正以上各处' },
  'too-many': { en: 'there are {count} {things}', 'zh-CN': '共有 {count} 个 {things}' },
  'at-most-in-all': { en: 'at most {limit} in all', 'zh-CN': '总共最多 {limit} 个' },
  'limit-unknown': { en: 'there is no limit named `{limit}`{hint}', 'zh-CN': '没有名为 `{limit}` 的限额{hint}' },
  'limit-form': { en: 'a limit that exists; there is none yet', 'zh-CN': '已存在的限额；目前还没有' },
  'limit-too-small': {
    en: '`{limit}` has {slots} slots, which is fewer than {asks}',
    'zh-CN': '`{limit}` 只有 {slots} 个名额，少于 {asks}',
  },
  'pool-unknown': { en: 'there is no pool named `{pool}`{hint}', 'zh-CN': '没有名为 `{pool}` 的池{hint}' },
  'pool-form': { en: 'a pool that exists', 'zh-CN': '已有的池' },
  'unstorable-text': {
    en: 'holds a NUL character or half of a surrogate pair, which no text may hold; remove it',
    'zh-CN': '含有 NUL 字符或半个代理对，文本中不允许出现；请删除',
  },

  'name-form': {
    en: 'lower-case letters, digits and `-`, beginning with a letter, at most 63 characters',
    'zh-CN': '小写字母、数字和 `-`，以字母开头，最多 63 个字符',
  },
  'key-form': {
    en: 'letters, digits, `-` and `_`, beginning with a letter, at most 100 characters',
    'zh-CN': '字母、数字、`-` 和 `_`，以字母开头，最多 100 个字符',
  },
  'environment-name-form': {
    en: 'letters, digits and `_`, not beginning with a digit or with `MEDLEY_`',
    'zh-CN': '字母、数字和 `_`，不以数字或 `MEDLEY_` 开头',
  },
  'header-name-form': { en: 'the name of an HTTP header', 'zh-CN': 'HTTP 头的名称' },
} as const satisfies TextTable;
