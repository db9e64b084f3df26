import type { TextTable } from './text-table.js';

/** Tasks, and how they need each other. */
export const taskTexts = {
  'no-task': { en: 'a workflow needs at least one task', 'zh-CN': '工作流至少要有一个任务' },
  'task-twice': { en: 'task `{task}` is defined twice', 'zh-CN': '任务 `{task}` 定义了两次' },
  'need-self': { en: 'task `{task}` needs itself', 'zh-CN': '任务 `{task}` 依赖自身' },
  'need-unknown': {
    en: 'task `{task}` needs `{need}`, which is not a task of this workflow{hint}',
    'zh-CN': '任务 `{task}` 依赖 `{need}`，但工作流中没有这个任务{hint}',
  },
  'need-cycle': { en: 'tasks need each other in a circle: {path}', 'zh-CN': '任务循环依赖：{path}' },
  'need-final': {
    en: 'task `{task}` needs `{need}`, which runs only after all tasks have ended',
    'zh-CN': '任务 `{task}` 依赖 `{need}`，但后者要等所有任务结束后才运行',
  },
  'name-twice': { en: '`tasks` has a task `{task}` as well', 'zh-CN': '`tasks` 中也有任务 `{task}`' },
  'name-twice-form': { en: 'a name of its own', 'zh-CN': '不重复的名称' },
  'need-form': { en: 'the name of another task', 'zh-CN': '另一个任务的名称' },
  'need-cycle-form': { en: 'needs that lead back to no task', 'zh-CN': '不会绕回自身的依赖' },
  'any-empty': { en: '`any` names no task, so it could never hold', 'zh-CN': '`any` 没有列出任务，永远无法满足' },
  'any-form': { en: 'at least one task', 'zh-CN': '至少一个任务' },
  'task-named-any': {
    en: '`any` cannot name a task: it has a meaning in `needs`',
    'zh-CN': '`any` 不能用作任务名：它在 `needs` 中另有含义',
  },
  'several-scripts': { en: 'it has {keys}', 'zh-CN': '同时有 {keys}' },
  'one-script': { en: 'one script', 'zh-CN': '一个脚本' },
  'url-without-kind': { en: '`url` without a kind', 'zh-CN': '有 `url` 却没有 `kind`' },
  'add-kind-http': { en: 'add `kind: http`', 'zh-CN': '添加 `kind: http`' },
  'task-does-nothing': { en: 'the task does nothing', 'zh-CN': '任务没有内容' },
  'task-form': {
    en: '`run`, `python` or `node` with a script, or `kind: http` with `url`, or `kind: noop`',
    'zh-CN': '带脚本的 `run`、`python` 或 `node`，或 `kind: http` 加 `url`，或 `kind: noop`',
  },
  'task-of-kind': { en: 'a {kind} task', 'zh-CN': ' {kind} 任务' },
  'task-with-script': { en: 'a task with a script', 'zh-CN': '带脚本的任务' },
  'task-key-missing': { en: 'a {kind} task needs `{key}`', 'zh-CN': '{kind} 任务需要 `{key}`' },
  'an-address': { en: 'an address', 'zh-CN': '一个地址' },
  'script-form': { en: 'the text of a script', 'zh-CN': '脚本文本' },
  'script-empty': { en: 'the script is empty', 'zh-CN': '脚本为空' },
  'script-reference': {
    en: 'a value expression is not allowed in script text: put the value into `env` and read the environment variable in the script',
    'zh-CN': '脚本中不允许使用取值表达式：请把值放入 `env`，在脚本中读取环境变量',
  },
  'request-without-body': { en: 'a {method} request has no body', 'zh-CN': '{method} 请求没有请求体' },
  'method-with-body': { en: '`method: POST` or another', 'zh-CN': '`method: POST` 或其他方法' },
  'method-form': { en: 'GET, HEAD, POST, PUT, PATCH or DELETE', 'zh-CN': 'GET、HEAD、POST、PUT、PATCH 或 DELETE' },
  'url-start': { en: '{value} does not begin with http:// or https://', 'zh-CN': '{value} 不以 http:// 或 https:// 开头' },
  'url-form': { en: 'an address beginning with `http://` or `https://`', 'zh-CN': '以 `http://` 或 `https://` 开头的地址' },
  'environment-value-not-text': { en: '{value} is not a text; write "" for an empty one', 'zh-CN': '{value} 不是文本；空文本请写 ""' },
  'environment-value-form': { en: 'a text, a number, true or false', 'zh-CN': '文本、数字、true 或 false' },
} as const satisfies TextTable;
