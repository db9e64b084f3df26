import type { TextTable } from './text-table.js';

/** Tasks that run another workflow, and the runs they start. */
export const subWorkflowTexts = {
  'version-form': { en: '`latest` or the number of a version', 'zh-CN': '`latest` 或版本号' },
  'sub-workflow-form': { en: 'the name of another workflow of the project', 'zh-CN': '本项目中另一个工作流的名称' },
  'sub-workflow-unknown': {
    en: 'the project has no workflow `{workflow}`{hint}; apply that one first',
    'zh-CN': '项目中没有工作流 `{workflow}`{hint}；请先应用它',
  },
  'sub-workflow-version-unknown': {
    en: '`{workflow}` has no version {version}',
    'zh-CN': '`{workflow}` 没有版本 {version}',
  },
  'sub-workflow-needs-value': {
    en: '`{workflow}` asks for `{name}`, which has no default',
    'zh-CN': '`{workflow}` 需要 `{name}`，它没有默认值',
  },
  'sub-workflow-default-of-schedule': {
    en: 'the default of `{name}` asks for a schedule, and a run that a task starts has none; give it here',
    'zh-CN': '`{name}` 的默认值取自调度，而由任务启动的运行没有调度；请在此给出它的值',
  },
  'sub-workflow-task-unknown': {
    en: '`{workflow}` has no task `{task}`{hint}',
    'zh-CN': '`{workflow}` 没有任务 `{task}`{hint}',
  },
  'workflow-runs-itself': {
    en: 'a workflow may not run itself, also not by way of others: {path}',
    'zh-CN': '工作流不能直接或经由其他工作流运行自身：{path}',
  },
  'workflows-nested-too-deep': {
    en: 'workflows run each other more than {limit} deep from here',
    'zh-CN': '由此开始的工作流嵌套超过 {limit} 层',
  },
  'sub-workflow-gone': {
    en: 'There is no version {version} of `{workflow}` in this project any more.',
    'zh-CN': '本项目中已没有 `{workflow}` 的版本 {version}。',
  },
  'sub-workflow-outputs-too-large': {
    en: 'Its outputs take {count} bytes, more than the {limit} that are kept.',
    'zh-CN': '其输出占 {count} 字节，超过可保存的 {limit} 字节。',
  },
  'sub-workflow-outputs-too-many': {
    en: 'It gives {count} outputs, more than the {limit} that are kept.',
    'zh-CN': '其输出有 {count} 个，超过可保存的 {limit} 个。',
  },
  'run-is-part': {
    en: 'This run is a part of run {run}: run that one again, and what failed in here goes on from there.',
    'zh-CN': '此运行是运行 {run} 的一部分：请重跑后者，此处失败的部分会从失败处继续。',
  },
  'parent-is-paused': {
    en: 'This run is a part of run {run}, which is paused: resume that one.',
    'zh-CN': '此运行是运行 {run} 的一部分，后者已暂停：请继续后者。',
  },
} as const satisfies TextTable;
