import type { TextTable } from './text-table.js';

/** Waits for a time, for an answer over HTTP or for a file, and what a look found. */
export const waitTexts = {
  'look-method-form': { en: 'GET or HEAD', 'zh-CN': 'GET 或 HEAD' },
  'instant-with-zone-form': {
    en: 'an instant with its zone, e.g. `2026-03-01T07:00:00+08:00`',
    'zh-CN': '带时区的时刻，例如 `2026-03-01T07:00:00+08:00`',
  },
  'waits-for-nothing': { en: 'it waits for nothing', 'zh-CN': '没有写明等待什么' },
  'several-waits': { en: 'it has {keys}', 'zh-CN': '同时写了{keys}' },
  'wait-form': { en: 'one of `until`, `for`, `http` and `file`', 'zh-CN': '`until`、`for`、`http`、`file` 之一' },
  'wait-key-elsewhere': {
    en: '`{key}` has a meaning in tasks of `kind: wait-for` only',
    'zh-CN': '`{key}` 仅在 `kind: wait-for` 的任务中有意义',
  },
  'every-without-looks': { en: '`every` has a meaning with `http` and `file` only', 'zh-CN': '`every` 仅与 `http` 或 `file` 一起有意义' },
  'node-name-form': {
    en: 'the name of a node: lower-case letters, digits, `.`, `_` and `-`, at most 64 characters',
    'zh-CN': '节点名称：小写字母、数字、`.`、`_`、`-`，最多 64 个字符',
  },
  'path-not-absolute': { en: '{value} is no whole path', 'zh-CN': '{value} 不是完整路径' },
  'path-form': { en: 'a whole path, e.g. `/data/in/ready`', 'zh-CN': '完整路径，例如 `/data/in/ready`' },
  'file-without-place': { en: 'it does not say on which node the file is', 'zh-CN': '没有写明文件位于哪个节点' },
  'file-place-form': { en: '`node` within `file`, or `labels` beside it', 'zh-CN': '在 `file` 中写 `node`，或在其旁写 `labels`' },
  'file-place-twice': {
    en: '`{key}` has no meaning where `file` names a node',
    'zh-CN': '`file` 已指定节点，`{key}` 没有意义',
  },
  'until-not-an-instant': {
    en: '`until` is `{value}`; write an instant with its zone, e.g. 2026-03-01T07:00:00+08:00.',
    'zh-CN': '`until` 的值为 `{value}`；请写带时区的时刻，例如 2026-03-01T07:00:00+08:00。',
  },
  'look-address-invalid': {
    en: '`http.url` is `{value}`, which is no http or https address.',
    'zh-CN': '`http.url` 的值为 `{value}`，不是 http 或 https 地址。',
  },
  'look-path-invalid': {
    en: '`file.path` is `{value}`; write a whole path of at most 4096 characters, e.g. `/data/in/ready`.',
    'zh-CN': '`file.path` 的值为 `{value}`；请写完整路径（最多 4096 个字符），例如 `/data/in/ready`。',
  },
  'look-file-there': { en: '{bytes} bytes on {node}, modified at {at}', 'zh-CN': '位于 {node}，{bytes} 字节，修改于 {at}' },
  'look-file-absent': { en: 'no such file', 'zh-CN': '没有此文件' },
  'look-file-not-allowed': {
    en: 'the path is not within MEDLEY_AGENT_WATCH_PATHS of its agent',
    'zh-CN': '该路径不在其代理的 MEDLEY_AGENT_WATCH_PATHS 之内',
  },
  'look-file-failed': { en: 'it could not be looked at ({fault})', 'zh-CN': '无法查看（{fault}）' },
  'look-file-asked': { en: 'asked, not answered yet', 'zh-CN': '已询问，尚未回答' },
  'look-node-silent': { en: 'the node is silent since {at}', 'zh-CN': '该节点自 {at} 起没有回应' },
  'look-node-old': {
    en: 'its agent speaks protocol {protocol} and cannot look for files; install one of protocol {needed}',
    'zh-CN': '其代理使用协议 {protocol}，不能查看文件；请安装协议 {needed} 的代理',
  },
  'look-node-unknown': { en: 'there is no node named {node}', 'zh-CN': '没有名为 {node} 的节点' },
  'look-nodes-none': { en: 'no node of the pool {pool} has the labels', 'zh-CN': '资源池 {pool} 中没有带这些标签的节点' },
  'look-on-node': { en: '{node}: {found}', 'zh-CN': '{node}：{found}' },
  'looks-on-nodes': { en: '{each}', 'zh-CN': '{each}' },
  'looks-more': { en: 'and {count} more node(s)', 'zh-CN': '及另外 {count} 个节点' },
  'look-status': { en: 'status {status}', 'zh-CN': '状态码 {status}' },
  'look-timeout': { en: 'no answer within {seconds} s', 'zh-CN': '{seconds} 秒内没有应答' },
  'look-failed': { en: 'no answer ({fault})', 'zh-CN': '没有应答（{fault}）' },
  'address-of-server': {
    en: '{address} belongs to the server itself, which workflows may not ask (MEDLEY_PROBE_ADDRESSES)',
    'zh-CN': '{address} 是服务器自身的地址，工作流不得访问（MEDLEY_PROBE_ADDRESSES）',
  },
  'address-private': {
    en: '{address} is in a private network, which workflows may not ask (MEDLEY_PROBE_ADDRESSES)',
    'zh-CN': '{address} 位于私有网络，工作流不得访问（MEDLEY_PROBE_ADDRESSES）',
  },
} as const satisfies TextTable;
