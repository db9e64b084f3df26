import type { TextTable } from './text-table.js';

/** Value expressions. A blank named `english` holds what a library says, which is left out in other languages. */
export const expressionTexts = {
  'expression-unreadable': { en: '{english}', 'zh-CN': '此处的表达式无法读取' },
  'expression-fault': { en: '`{source}`: {fault}', 'zh-CN': '`{source}`：{fault}' },
  'expression-fault-at': { en: '{source}: {fault} (at character {position})', 'zh-CN': '{source}：{fault}（第 {position} 个字符）' },
  'fault-at': { en: '{fault} (at character {position})', 'zh-CN': '{fault}（第 {position} 个字符）' },
  'expression-in-braces': {
    en: 'it is an expression already; leave out the `{opening}` and the `{closing}`',
    'zh-CN': '此处本身就是表达式；请去掉 `{opening}` 和 `{closing}`',
  },
  'expression-form': { en: 'an expression such as `{example}`', 'zh-CN': '表达式，如 `{example}`' },
  'expression-is': { en: '`{source}` is {form}', 'zh-CN': '`{source}` 是{form}' },
  'expression-too-long': { en: 'the expression is longer than {limit} characters', 'zh-CN': '表达式超过 {limit} 个字符' },
  'expression-result-too-long': { en: 'its value is longer than {limit} characters', 'zh-CN': '其值超过 {limit} 个字符' },
  'expression-list-too-long': {
    en: 'it goes over a list, and its values are longer than {limit} characters together',
    'zh-CN': '它遍历列表，而其中的值合计超过 {limit} 个字符',
  },
  'expression-too-many-items': {
    en: '`{name}` has {count} items; an expression goes over at most {limit}',
    'zh-CN': '`{name}` 有 {count} 项；表达式最多遍历 {limit} 项',
  },
  'expression-not-a-value': { en: '`{name}` is not a value; write one of {names}', 'zh-CN': '`{name}` 不是值；请写以下之一：{names}' },
  'name-unknown': { en: 'there is nothing named `{name}`{hint}', 'zh-CN': '没有名为 `{name}` 的内容{hint}' },
  'names-available': { en: '; available: {names}. Put quotes around a text', 'zh-CN': '；可用：{names}。文本请加引号' },
  'name-beginning-form': { en: 'a name that begins with {roots}', 'zh-CN': '以 {roots} 开头的名称' },
  'function-unknown': { en: 'there is no function `{name}`{hint}', 'zh-CN': '没有函数 `{name}`{hint}' },
  'there-are': { en: '; there are {names}', 'zh-CN': '；可用：{names}' },
  'has-takes-one-name': {
    en: 'there is no function `has`; `has` takes one name, such as `{example}`',
    'zh-CN': '没有函数 `has`；`has` 只接受一个名称，如 `{example}`',
  },
  'call-within-call': {
    en: '`{name}` may not stand within another call that goes over a list',
    'zh-CN': '`{name}` 不能写在另一个遍历列表的调用之内',
  },
  'call-over-computed-list': {
    en: '`{name}` goes over a list that is named or written out, not over one that is computed',
    'zh-CN': '`{name}` 只能遍历有名称或直接写出的列表，不能遍历计算得出的列表',
  },
  'call-takes-item-name': {
    en: '`{name}` takes a name for the items first, as in `{example}`',
    'zh-CN': '`{name}` 须先给出各项的名称，如 `{example}`',
  },
  'no-operation': { en: 'there is no operation {operation}', 'zh-CN': '没有这样的运算：{operation}' },
  'to-subtract': { en: '; to subtract, put a space on both sides of `-`', 'zh-CN': '；做减法时请在 `-` 两侧加空格' },
  'result-not-finite': { en: 'the result is no finite number', 'zh-CN': '结果不是有限的数' },
  'result-not-a-value': { en: 'the result is no text, number, list or map', 'zh-CN': '结果不是文本、数字、列表或映射' },
  'result-inexact': { en: '{value} is beyond the whole numbers that are kept exactly', 'zh-CN': '{value} 超出可精确保存的整数范围' },
  'not-an-instant': { en: '{value} is not an instant such as 2026-10-25T02:30:00Z', 'zh-CN': '{value} 不是时刻，如 2026-10-25T02:30:00Z' },
  'not-a-zone': { en: '{value} is not a zone such as Europe/Berlin or UTC', 'zh-CN': '{value} 不是时区，如 Europe/Berlin 或 UTC' },
  'not-a-pattern-part': { en: '{value} is no part of a pattern; write {parts}', 'zh-CN': '{value} 不是格式的一部分；可用：{parts}' },
  'date-out-of-years': { en: 'the date is outside of the years 0 to 9999', 'zh-CN': '日期不在 0 到 9999 年之间' },
  'any-value': { en: 'a value of any kind', 'zh-CN': '任意类型的值' },
  'answer-expression-form': {
    en: 'an expression over `status`, `headers`, `body` or `json`, such as `{example}`',
    'zh-CN': '针对 `status`、`headers`、`body` 或 `json` 的表达式，如 `{example}`',
  },
  'task-not-known': { en: 'there is no task `{name}` in this workflow{hint}', 'zh-CN': '此工作流中没有任务 `{name}`{hint}' },
  'task-key-form': { en: 'the key of a task', 'zh-CN': '任务的键' },
  'task-itself': { en: '`{name}` is the task itself', 'zh-CN': '`{name}` 是该任务自身' },
  'task-not-upstream': {
    en: 'task `{task}` does not wait for `{name}`, so it may have given nothing yet',
    'zh-CN': '任务 `{task}` 并不等待 `{name}`，届时它可能尚未给出任何内容',
  },
  'task-upstream-form': {
    en: 'a task that it needs, itself or through others; add `needs: [{name}]`',
    'zh-CN': '它直接或间接依赖的任务；请加上 `needs: [{name}]`',
  },
  'reference-not-in-key': { en: '`{name}` has no value when a run gets its key', 'zh-CN': '`{name}` 在运行取得并发键时没有值' },
  'reference-not-in-task': { en: '`{name}` has no value in a task', 'zh-CN': '`{name}` 在任务中没有值' },
  'secret-unknown': { en: '`{name}`: the project has no secret of that name', 'zh-CN': '`{name}`：项目中没有这个名称的密钥' },
  'agent-cannot-mask': {
    en: 'its node has an agent of a version that cannot mask secrets: install one of the version of the server',
    'zh-CN': '其节点上的代理版本无法遮蔽密钥：请安装与服务端相同版本的代理',
  },
  'secret-only-delivered': {
    en: '`{name}`: a secret may be named only in `env`, `url`, `headers` and `body` of a task',
    'zh-CN': '`{name}`：密钥只能写在任务的 `env`、`url`、`headers` 和 `body` 中',
  },
  'secret-stands-alone': {
    en: '`{name}` stands within an expression, so that it could not be masked in logs',
    'zh-CN': '`{name}` 写在表达式之内，这样无法在日志中遮盖',
  },
  'secret-stands-alone-form': {
    en: '`{form}` by itself, with any text before and after it',
    'zh-CN': '单独的 `{form}`，前后可有任意文本',
  },
  'secret-sealed-by-other': {
    en: '`{name}`: none of the keys of this server opens the secret; give it the key in `MEDLEY_SECRET_KEYS`, or set the secret anew',
    'zh-CN': '`{name}`：此服务器的密钥都无法解开该密钥；请在 `MEDLEY_SECRET_KEYS` 中补上所需的密钥，或重新设置该密钥',
  },
  'webhook-key-sealed-by-other': {
    en: 'none of the keys of this server opens the secret of the webhook: give it the key in `MEDLEY_SECRET_KEYS`, or make a new secret',
    'zh-CN': '此服务器的密钥都无法解开该 Webhook 的密钥：请在 `MEDLEY_SECRET_KEYS` 中补上所需的密钥，或生成新的密钥',
  },
  'secret-keys-missing': {
    en: 'this server has no keys for secrets: start every server with the same `MEDLEY_SECRET_KEYS`',
    'zh-CN': '此服务器没有用于密钥的加密密钥：请用相同的 `MEDLEY_SECRET_KEYS` 启动所有服务器',
  },
  'variable-unknown': { en: '`{name}`: the project has no variable of that name', 'zh-CN': '`{name}`：项目中没有这个名称的变量' },
  'output-unknown': { en: '`{name}`: the task has given no such output', 'zh-CN': '`{name}`：任务没有给出这个输出' },
} as const satisfies TextTable;
