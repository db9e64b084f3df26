import type { TextsOf } from '../en/index.js';
import type { projects as english } from '../en/projects.js';

export const projects: TextsOf<typeof english> = {
  projects: {
    lead: '工作流、调度计划、运行记录和角色都属于某个项目',
    search: '搜索项目',
    none: '暂无项目',
    noneText: '新建一个项目，即可在其中定义工作流并为成员授予角色。',
    noneFound: '没有匹配该名称的项目',
    name: '名称',
    nameHint: '小写字母、数字和“-”，以字母开头',
    formerNames: '曾用名',
    createdAt: '创建时间',
    seeMembers: '查看角色',
    actionsOf: '项目 {name} 的操作',
    create: '新建项目',
    createAction: '创建',
    created: '项目“{name}”已创建',
    rename: '重命名',
    renameTitle: '重命名项目“{name}”',
    renameHint: '写有“{name}”的工作流文件仍指向本项目；其他项目不能再使用该名称。',
    renamed: '项目已更名为“{name}”',
    remove: '移除',
    removeTitle: '移除项目“{name}”？',
    removeText: '项目及其中的所有内容将不再对任何人可见，调度计划停止，角色和 API 令牌失效。此操作无法撤销。',
    removed: '项目“{name}”已移除',
    hasActiveRuns: '项目中有正在进行的运行，请等待其结束或将其取消。',
    holds: {
      workflows: '工作流',
      schedules: '调度计划',
      runs: '运行记录',
      activeRuns: '进行中的运行',
      members: '已授予的角色',
      apiTokens: 'API 令牌',
    },
  },
};
