import type { TextTable } from './text-table.js';

/** How attempts and their tasks ended, in the words of agents and servers. */
export const endingTexts = {
  'ending-and': { en: '{first}; {second}', 'zh-CN': '{first}；{second}' },
  'ended-with-exit-code': { en: 'ended with exit code {code}', 'zh-CN': '退出码 {code}' },
  'ended-by-signal': { en: 'ended by signal {signal}', 'zh-CN': '被信号 {signal} 终止' },
  'ended-timed-out': { en: 'timed out', 'zh-CN': '超时' },
  'ended-timed-out-because': { en: 'timed out: {why}', 'zh-CN': '超时：{why}' },
  'ended-lost': { en: 'lost: {why}', 'zh-CN': '失联：{why}' },
  'timed-out-after': { en: 'timed out after {seconds} s', 'zh-CN': '{seconds} 秒后超时' },
  'node-silent': { en: 'its node stopped answering', 'zh-CN': '其节点不再应答' },
  'node-silent-for-lease': {
    en: 'its node was silent for longer than the lease of {seconds} s',
    'zh-CN': '其节点失去联系的时间超过租期（{seconds} 秒）',
  },
  'agent-restarted': { en: 'its agent was restarted and does not know it any more', 'zh-CN': '其代理已重启，不再知道此次尝试' },
  'agent-forgot': { en: 'its agent does not know it any more', 'zh-CN': '其代理不再知道此次尝试' },
  'lease-lost': {
    en: 'lease lost: the node could not reach the server, and the task asks to stop then',
    'zh-CN': '租期失效：节点无法连接服务端，而任务要求此时停止',
  },
  'memory-kill': { en: 'killed for lack of memory: the task may use {limit} MiB', 'zh-CN': '内存不足被终止：任务最多可用 {limit} MiB' },
  'never-started': { en: 'stopped before it started', 'zh-CN': '在启动前被停止' },
  'start-failed': { en: 'could not be started: {why}', 'zh-CN': '无法启动：{why}' },
  'wrapper-killed': { en: 'its wrapper was killed by {signal}', 'zh-CN': '其包装进程被 {signal} 终止' },
  'wrapper-vanished': {
    en: 'wrapper vanished: it left no exit status (was the machine restarted?)',
    'zh-CN': '包装进程消失：没有留下退出状态（机器是否重启过？）',
  },
  'taken-off-node': {
    en: 'taken off its node, where it waited for room: another node had some',
    'zh-CN': '从等待资源的节点上取回：另一节点有空余',
  },
  'no-room-placed-anew': { en: 'found no room on its node; placed anew', 'zh-CN': '其节点上没有空余；重新放置' },
  'unclaimed-placed-anew': { en: 'never claimed by its node; placed anew', 'zh-CN': '其节点一直没有认领；重新放置' },
  'outputs-too-long': {
    en: 'its outputs take {bytes} bytes, more than the {limit} that are kept',
    'zh-CN': '其输出共 {bytes} 字节，超过可保存的 {limit} 字节',
  },
  'outputs-too-many': {
    en: 'it gave {count} outputs, more than the {limit} that are kept',
    'zh-CN': '给出了 {count} 个输出，超过可保存的 {limit} 个',
  },
  'output-line-plain': {
    en: 'line {line} of its outputs is neither `name=value` nor a JSON object: `{text}`',
    'zh-CN': '其输出的第 {line} 行既不是 `name=value`，也不是 JSON 对象：`{text}`',
  },
  'output-line-json': {
    en: 'line {line} of its outputs is not a JSON object: {why}',
    'zh-CN': '其输出的第 {line} 行不是 JSON 对象：{why}',
  },
  'output-name': {
    en: 'line {line} of its outputs: `{name}` cannot be a name; letters, digits, `-` and `_`, beginning with a letter',
    'zh-CN': '其输出的第 {line} 行：`{name}` 不能用作名称；须为字母、数字、`-` 和 `_`，以字母开头',
  },
  'outputs-no-file': { en: 'the file of its outputs is no regular file', 'zh-CN': '其输出文件不是普通文件' },
  'outputs-a-link': { en: 'its outputs cannot be read: their file is a link', 'zh-CN': '无法读取其输出：该文件是一个链接' },
  'outputs-unreadable': { en: 'its outputs cannot be read: {why}', 'zh-CN': '无法读取其输出：{why}' },
  'output-of-answer': { en: 'output `{name}`: {why}', 'zh-CN': '输出 `{name}`：{why}' },
  'answer-not-json': { en: '{why} (the body is not JSON)', 'zh-CN': '{why}（响应正文不是 JSON）' },
  'command-too-large': { en: 'its environment is too large for the system (E2BIG)', 'zh-CN': '其环境变量超过系统上限（E2BIG）' },
  'call-failed': { en: '{method} {address} failed: {why}', 'zh-CN': '{method} {address} 失败：{why}' },
  'call-status': { en: 'HTTP {status} from {address}, expected {expected}', 'zh-CN': '{address} 返回 HTTP {status}，期望 {expected}' },
  'statuses-range': { en: '{from} to {to}', 'zh-CN': '{from} 至 {to}' },
  'answer-too-long': {
    en: 'outputs cannot be read from a body of more than {limit} bytes',
    'zh-CN': '响应正文超过 {limit} 字节，无法读取输出',
  },
  'withdrawn-marked': {
    en: 'taken back: its task was marked before its node had claimed it',
    'zh-CN': '已取回：其节点认领之前，任务已被标记',
  },
  'withdrawn-paused': {
    en: 'taken back: its run was paused before its node had claimed it',
    'zh-CN': '已取回：其节点认领之前，运行已被暂停',
  },
  'withdrawn-cancelled': { en: 'cancelled before its node had claimed it', 'zh-CN': '在其节点认领之前已取消' },
  'run-was-cancelled': { en: 'the run was cancelled', 'zh-CN': '运行已取消' },
  'as-told': { en: '{text}', 'zh-CN': '{text}' },
} as const satisfies TextTable;
