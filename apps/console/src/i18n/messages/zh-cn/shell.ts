import type { TextsOf } from '../en/index.js';
import type { shell as english } from '../en/shell.js';

export const shell: TextsOf<typeof english> = {
  nav: {
    label: '主导航',
    fold: '收起导航',
    unfold: '展开导航',
    operate: '运行',
    define: '定义',
    compute: '计算资源',
    admin: '管理',
    overview: '总览',
    runs: '运行记录',
    schedules: '调度计划',
    workflows: '工作流',
    nodes: '节点',
    pools: '资源池',
    tokens: '令牌',
  },
  shell: {
    bar: '项目、连接与账户',
    skip: '跳到正文',
    project: '项目',
    allProjects: '全部项目',
    language: '语言',
    theme: '主题',
    themes: { light: '浅色', dark: '深色', system: '跟随系统' },
    account: '账户',
    signOut: '退出登录',
    live: { connecting: '连接中', live: '实时', lost: '重新连接中' },
    liveHint: {
      connecting: '正在建立实时更新的连接',
      live: '页面内容会自动跟随服务端更新',
      lost: '实时更新的连接已断开，恢复之前页面内容可能不是最新',
    },
  },
  login: {
    title: '登录',
    lead: '统一调度一切任务，适配强弱不一的机器。',
    ended: '请登录后继续之前的操作。',
    name: '用户名',
    password: '密码',
    submit: '登录',
    hint: '服务端首次启动时会打印一次 “admin” 用户的随机密码。',
  },
  nowhere: { title: '页面不存在', text: '地址可能有误，或页面已移动。', home: '前往总览' },
};
