import type { TextTable } from './text-table.js';

/** Webhooks: what their definitions, their deliveries and their payloads lack. */
export const webhookTexts = {
  'schedule-without-rule': { en: 'nothing says what starts it', 'zh-CN': '没有说明由什么触发' },
  'schedule-with-two-rules': { en: 'it is started by `{rule}` already', 'zh-CN': '它已由 `{rule}` 触发' },
  'not-a-pointer': { en: '{value} is not a JSON Pointer', 'zh-CN': '{value} 不是 JSON Pointer' },
  'pointer-form': {
    en: 'a JSON Pointer such as `/order/day`, from the root of the payload',
    'zh-CN': '从载荷根开始的 JSON Pointer，例如 `/order/day`',
  },
  'not-a-tolerance': { en: '{value} is not a duration from 1 s to 24 h', 'zh-CN': '{value} 不是 1 秒到 24 小时之间的时长' },
  'tolerance-form': { en: 'a duration from `1s` to `24h`, such as `5m`', 'zh-CN': '`1s` 到 `24h` 之间的时长，例如 `5m`' },
  'payload-has-nothing': { en: 'the payload has nothing at `{pointer}`', 'zh-CN': '载荷在 `{pointer}` 处没有内容' },
  'webhook-not-there': { en: 'There is no webhook at this address.', 'zh-CN': '该地址没有 webhook。' },
  'webhook-of-other-kind': {
    en: 'This schedule is not started by a webhook: its definition has no `webhook`.',
    'zh-CN': '该调度计划不由 webhook 触发：其定义中没有 `webhook`。',
  },
  'webhook-header-missing': {
    en: 'The header {name} is missing. A delivery carries webhook-id, webhook-timestamp and webhook-signature.',
    'zh-CN': '缺少请求头 {name}。投递须带 webhook-id、webhook-timestamp 和 webhook-signature。',
  },
  'webhook-id-form': {
    en: 'The header webhook-id has to be one text of at most 200 visible ASCII characters.',
    'zh-CN': '请求头 webhook-id 须为至多 200 个可见 ASCII 字符。',
  },
  'webhook-timestamp-form': {
    en: 'The header webhook-timestamp has to hold seconds since 1970, such as 1767225600.',
    'zh-CN': '请求头 webhook-timestamp 须为自 1970 年起的秒数，例如 1767225600。',
  },
  'webhook-signature-form': {
    en: 'The header webhook-signature holds no signature of version 1: `v1,` and the HMAC-SHA256 in base64.',
    'zh-CN': '请求头 webhook-signature 中没有版本 1 的签名：`v1,` 加 base64 的 HMAC-SHA256。',
  },
  'webhook-not-json': {
    en: 'A delivery is JSON: send it with the content type application/json.',
    'zh-CN': '投递的正文须为 JSON：请以 application/json 内容类型发送。',
  },
  'webhook-signature-wrong': {
    en: 'The signature does not fit: it is `v1,` and the base64 of HMAC-SHA256 over webhook-id, webhook-timestamp and the body as it is sent, joined by dots, with the key behind `whsec_` decoded from base64.',
    'zh-CN':
      '签名不符：应为 `v1,` 加上对 webhook-id、webhook-timestamp 和所发送的正文（以点连接）计算的 HMAC-SHA256 的 base64，密钥为 `whsec_` 之后的内容按 base64 解码。',
  },
  'webhook-timestamp-off': {
    en: 'It was signed {seconds} s away from now, and at most {tolerance} s are allowed: sign it anew, by a clock that is right.',
    'zh-CN': '签名时间与当前相差 {seconds} 秒，最多允许 {tolerance} 秒：请校准时钟后重新签名。',
  },
  'webhook-minute-full': {
    en: 'The webhook takes {limit} deliveries a minute: send it again later.',
    'zh-CN': '该 webhook 每分钟最多接受 {limit} 次投递：请稍后重发。',
  },
  'webhook-schedule-disabled': {
    en: 'The schedule is disabled: enable it, then send the delivery again.',
    'zh-CN': '调度计划已停用：请启用后重新投递。',
  },
  'schedule-without-fires': {
    en: 'No clock starts this schedule, so that it has no fires to make up for: start its workflow by hand.',
    'zh-CN': '该调度计划不由时间触发，没有可补跑的触发：请手动启动其工作流。',
  },
} as const satisfies TextTable;
