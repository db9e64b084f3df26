import type { TextsOf } from '../en/index.js';
import type { overview as english } from '../en/overview.js';

export const overview: TextsOf<typeof english> = {
  overview: {
    asOf: '更新于',
    figure: {
      running: '正在运行',
      queued: '排队中的运行',
      waiting: '等待中的任务',
      failed: '24 小时内失败',
      succeeded: '24 小时内成功',
      nodes: '在线节点',
    },
    new: '还没有任何运行',
    newText: '用入门模板创建一个工作流并运行。节点接入后任务会立即分配。',
    lastDay: '最近 24 小时',
    running: '正在运行',
    failed: '失败',
    waiting: '等待中的任务及原因',
    nextFires: '即将触发',
    all: '查看全部',
    noneRunning: '当前没有运行。',
    noneFailed: '没有失败的运行。',
    noneWaiting: '没有任务在等待节点。',
    noneNext: '没有启用的调度计划。',
  },
};
