import type { TextTable } from './text-table.js';

/** Decisions that a run waits for, and deadlines. */
export const approvalTexts = {
  'approver-form': {
    en: '`role:operator` (or viewer, developer, admin), `user:NAME` or `group:NAME`',
    'zh-CN': '`role:operator`（或 viewer、developer、admin）、`user:名称` 或 `group:名称`',
  },
  'by-without-approval': { en: '`by` has a meaning in approvals only', 'zh-CN': '`by` 仅在审批任务中有意义' },
  'on-deadline-alone': { en: '`onDeadline` without a `deadline`', 'zh-CN': '有 `onDeadline` 却没有 `deadline`' },
  'deadline-form': { en: 'a `deadline`, e.g. `deadline: 2d`', 'zh-CN': '一个 `deadline`，例如 `deadline: 2d`' },
  'no-approval-waits': { en: 'The task waits for no approval (any more).', 'zh-CN': '该任务不在（或已不再）等待审批。' },
  'not-an-approver': { en: 'Only {by} may decide on this.', 'zh-CN': '只有 {by} 可以对此作出决定。' },
  'decided-meanwhile': {
    en: 'Someone else has decided meanwhile, or its run was cancelled.',
    'zh-CN': '其间已有他人作出决定，或其运行已被取消。',
  },
  'approval-not-markable': {
    en: 'An approval is decided by those it names: approve or reject it.',
    'zh-CN': '审批只能由其指定的人决定：请批准或拒绝。',
  },
} as const satisfies TextTable;
