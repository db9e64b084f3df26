import type { common as english } from '../en/common.js';
import type { TextsOf } from '../en/index.js';

export const common: TextsOf<typeof english> = {
  common: {
    retry: '重试',
    copy: '复制',
    copied: '已复制',
    cancel: '取消',
    close: '关闭',
    save: '保存',
    change: '修改',
    never: '从未',
    actions: '操作',
    clearSearch: '清除搜索',
    clearFilters: '清除筛选',
  },
  duration: {
    milliseconds: '{ms} 毫秒',
    seconds: '{s} 秒',
    minutes: '{m} 分 {s} 秒',
    hours: '{h} 小时 {m} 分',
    days: '{d} 天 {h} 小时',
  },
  paging: { label: '分页', shown: '本页 {count} 条', first: '第一页', on: '下一页' },
  error: {
    unexpected: '发生了意外情况',
    unreachableHint: '请确认服务端正在运行，且本机网络正常。页面会自动重试。',
    requestId: '请求编号',
    code: {
      unreachable: '无法连接服务端',
      'not-found': '对象不存在，或您无权查看',
      'permission-denied': '您没有执行此操作的权限',
      'stale-version': '内容已被他人修改，请重新加载',
      'workflow-invalid': '工作流定义有错误',
      'validation-failed': '请求的格式不符合要求',
      'parameter-invalid': '参数缺失或类型不正确',
      'run-not-cancellable': '该运行已经结束',
      'run-not-rerunnable': '该运行不能以此方式重跑',
      'run-has-no-work': '该运行没有需要重跑的任务',
      'node-in-use': '节点上仍有执行中的任务，请先排空',
      'login-failed': '用户名或密码错误',
      'too-many-requests': '尝试次数过多，请稍后再试',
      internal: '服务端发生错误',
      unavailable: '服务端暂时无法响应',
    },
  },
  unsaved: {
    title: '不保存就离开？',
    text: '本页的修改尚未保存，离开后将会丢失。',
    leave: '离开并放弃修改',
    stay: '留在本页',
  },
};
