import type { TextTable } from './text-table.js';

/** Waits for a time or for an answer over HTTP, and what a look found. */
export const waitTexts = {
  'look-method-form': { en: 'GET or HEAD', 'zh-CN': 'GET 或 HEAD' },
  'instant-with-zone-form': {
    en: 'an instant with its zone, e.g. `2026-03-01T07:00:00+08:00`',
    'zh-CN': '带时区的时刻，例如 `2026-03-01T07:00:00+08:00`',
  },
  'waits-for-nothing': { en: 'it waits for nothing', 'zh-CN': '没有写明等待什么' },
  'several-waits': { en: 'it has {keys}', 'zh-CN': '同时写了{keys}' },
  'wait-form': { en: 'one of `until`, `for` and `http`', 'zh-CN': '`until`、`for`、`http` 之一' },
  'wait-key-elsewhere': {
    en: '`{key}` has a meaning in tasks of `kind: wait-for` only',
    'zh-CN': '`{key}` 仅在 `kind: wait-for` 的任务中有意义',
  },
  'every-without-http': { en: '`every` has a meaning with `http` only', 'zh-CN': '`every` 仅与 `http` 一起有意义' },
  'until-not-an-instant': {
    en: '`until` is `{value}`; write an instant with its zone, e.g. 2026-03-01T07:00:00+08:00.',
    'zh-CN': '`until` 的值为 `{value}`；请写带时区的时刻，例如 2026-03-01T07:00:00+08:00。',
  },
  'look-address-invalid': {
    en: '`http.url` is `{value}`, which is no http or https address.',
    'zh-CN': '`http.url` 的值为 `{value}`，不是 http 或 https 地址。',
  },
  'look-status': { en: 'status {status}', 'zh-CN': '状态码 {status}' },
  'look-timeout': { en: 'no answer within {seconds} s', 'zh-CN': '{seconds} 秒内没有应答' },
  'look-failed': { en: 'no answer ({fault})', 'zh-CN': '没有应答（{fault}）' },
  'address-of-server': {
    en: '{address} belongs to the server itself, which workflows may not ask (MEDLEY_PROBE_ADDRESSES)',
    'zh-CN': '{address} 是服务器自身的地址，工作流不得访问（MEDLEY_PROBE_ADDRESSES）',
  },
  'address-private': {
    en: '{address} is in a private network, which workflows may not ask (MEDLEY_PROBE_ADDRESSES)',
    'zh-CN': '{address} 位于私有网络，工作流不得访问（MEDLEY_PROBE_ADDRESSES）',
  },
} as const satisfies TextTable;
