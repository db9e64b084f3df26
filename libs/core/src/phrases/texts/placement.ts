import type { TextTable } from './text-table.js';

/** Why nodes were no candidates of a decision, for all nodes that one filter removed. */
export const placementTexts = {
  'removed-attempts-full': { en: 'holds as many attempts as it may', 'zh-CN': '持有的尝试数已达上限' },
  'removed-no-room': { en: 'not enough unreserved for {asked}', 'zh-CN': '未预留的资源不足以容纳 {asked}' },
  'removed-out-of-service': { en: 'cordoned or draining', 'zh-CN': '已停止调度或正在排空' },
  'removed-labels': { en: 'labels do not match: {labels}', 'zh-CN': '标签不匹配：{labels}' },
  'removed-overloaded': {
    en: "CPU load at or above the pool's maximum of {maxCpuPercent} %",
    'zh-CN': 'CPU 负载达到或超过池的上限 {maxCpuPercent} %',
  },
  'removed-no-performance': { en: 'performance is 0 or not measured yet', 'zh-CN': '性能为 0 或尚未测量' },
  'removed-unreachable': { en: 'offline or without a recent heartbeat', 'zh-CN': '离线，或近期没有心跳' },
  'removed-cannot-mask': { en: 'its agent is too old to mask secrets', 'zh-CN': '其代理版本过旧，无法遮蔽密钥' },
  'removed-no-runtime': { en: 'runtime {runtime} is not installed', 'zh-CN': '没有安装运行环境 {runtime}' },
  'removed-too-small': { en: 'smaller in total than the request for {asked}', 'zh-CN': '总量小于所请求的 {asked}' },
  'removed-avoided': { en: 'to be avoided: an earlier attempt ended badly there', 'zh-CN': '应避开：先前的尝试在此异常结束' },
  'removed-no-weight': { en: '{selector} gives no weight', 'zh-CN': '{selector} 没有给予权重' },
  'removed-takes-limits': {
    en: 'a task that takes limits is not sent ahead: it would hold them while it waits',
    'zh-CN': '占用限额的任务不会被预取：否则它会在等待时占用限额',
  },
  'removed-takes-no-prefetch': { en: 'its agent does not take prefetched work', 'zh-CN': '其代理不接受预取的任务' },
  'removed-earlier-waits': { en: 'an earlier task waits for its room', 'zh-CN': '更早的任务在等待它腾出的空间' },
  'removed-not-short': { en: 'the task is not known to be short there', 'zh-CN': '不知道任务在此是否很短' },
  'removed-backlog-full': { en: 'as much waits there as may', 'zh-CN': '在此等待的任务已达上限' },
  'removed-room-too-small': { en: 'what is expected to end soon would not make room', 'zh-CN': '预计即将结束的任务腾不出足够的空间' },
  'removed-more-waits': { en: 'more waits there than elsewhere', 'zh-CN': '在此等待的任务多于其他节点' },

  amount: { en: '{amount} {unit}', 'zh-CN': '{amount} {unit}' },
  'unit-core': { en: 'core', 'zh-CN': '核' },
  'unit-cores': { en: 'cores', 'zh-CN': '核' },
  'unit-memory': { en: 'GiB memory', 'zh-CN': 'GiB 内存' },
  'unit-disk': { en: 'GiB disk', 'zh-CN': 'GiB 磁盘' },
  'unit-gpu': { en: 'GPU', 'zh-CN': 'GPU' },
  'unit-gpus': { en: 'GPUs', 'zh-CN': 'GPU' },
} as const satisfies TextTable;
