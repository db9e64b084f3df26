import type { TextTable } from './text-table.js';

/** Schedules that runs of other workflows start. */
export const upstreamTexts = {
  'upstream-workflow-form': {
    en: 'the name of a workflow of the project, or `project/workflow`',
    'zh-CN': '本项目中工作流的名称，或 `项目/工作流`',
  },
  'upstream-need-form': {
    en: 'either `workflow: NAME` or `self: true`, and with it `day: -1`, or `hours: all`',
    'zh-CN': '`workflow: 名称` 或 `self: true` 其一，并可加 `day: -1` 或 `hours: all`',
  },
  'upstream-names-nothing': { en: 'it names neither a workflow nor itself', 'zh-CN': '既未指明工作流，也未指明自身' },
  'upstream-names-both': { en: 'it names a workflow and itself', 'zh-CN': '同时指明了工作流与自身' },
  'upstream-only-self': {
    en: 'it waits for nothing but itself',
    'zh-CN': '除自身外没有等待任何上游',
  },
  'upstream-twice': { en: 'the same stands there already', 'zh-CN': '与前面的一项相同' },
  'upstream-is-self': { en: '`{name}` is this workflow', 'zh-CN': '`{name}` 就是本工作流' },
  'upstream-self-form': {
    en: '`self: true` for the run of its date before, or with `day: -2` and so on for an earlier one',
    'zh-CN': '`self: true` 表示自身上一日期的运行，更早的用 `day: -2` 等',
  },
  'upstream-self-same-day': { en: 'a run cannot wait for its own success', 'zh-CN': '运行不能等待自身成功' },
  'upstream-self-hours': { en: 'it has one run a date, not one an hour', 'zh-CN': '它每个日期只有一次运行，没有每小时的运行' },
  'upstream-unknown': { en: 'there is no workflow `{name}` that you can see', 'zh-CN': '没有您可见的工作流 `{name}`' },
  'upstream-unknown-form': {
    en: 'a workflow that has been applied, of this project or as `project/workflow` of one that you may read',
    'zh-CN': '已应用的工作流：本项目的，或您可读项目的 `项目/工作流`',
  },
  'upstream-cycle': { en: 'it would wait for itself: {path}', 'zh-CN': '它将等待自身：{path}' },
  'upstream-cycle-form': {
    en: 'a workflow that does not wait, directly or through others, for this one',
    'zh-CN': '不直接或间接等待本工作流的工作流',
  },
  'schedule-not-of-upstreams': {
    en: 'This schedule is not started by runs of other workflows: its definition has no `upstream`.',
    'zh-CN': '该计划不由其他工作流的运行触发：其定义中没有 `upstream`。',
  },
} as const satisfies TextTable;
