import type { control as english } from '../en/control.js';
import type { TextsOf } from '../en/index.js';

export const control: TextsOf<typeof english> = {
  control: {
    pause: '暂停',
    pauseHint: '运行中的任务继续到结束；不再启动新任务，也不再重试',
    resume: '恢复',
    resumeHint: '让运行继续',
    pausedBy: '暂停者',
    mark: '人工决定结果',
    markTitle: '决定“{task}”的结果',
    markAs: '结果为',
    markHint: {
      skipped: '需要其成功的任务也会跳过；只需要其结束的任务继续。',
      succeeded: '需要其成功的任务会开始，但没有此任务的输出。',
      failed: '需要其成功的任务会跳过，运行判为失败；需要其失败的任务会开始。',
    },
    markStops: '任务正在运行：先停止其进程，进程全部退出后才算结束。',
    markReason: '原因',
    markReasonHint: '随任务保存，并记入审计',
    markYes: '确定',
    rerunFrom: '从此任务重跑',
    withDescendants: '连同所有依赖它的任务',
    unmet: '{task} 无法运行：{reason}。请同时选择它所依赖的任务。',
    parameters: '参数',
    changed: '未修改 | 已修改 {count} 项 | 已修改 {count} 项',
    keptHadOld: '保留的结果是用先前的参数值得出的。',
  },
};
