import type { TextsOf } from '../en/index.js';
import type { webhooks as english } from '../en/webhooks.js';

export const webhooks: TextsOf<typeof english> = {
  webhook: {
    rule: '由 webhook 触发',
    whenCalled: '被调用时',
    address: '地址',
    noSecret: '还没有地址，生成第一个密钥后即开通。',
    secret: '签名密钥',
    make: '生成密钥',
    rotate: '生成新密钥',
    rotateTitle: '生成新密钥？',
    rotateText: '当前密钥在 {hours} 小时内仍然有效，供发送方更换。',
    rotateAtOnce: '当前密钥立即失效：发送方换用新密钥之前会被拒绝。',
    shownOnce: '仅显示这一次，请保存到发送方读取之处。',
    madeAt: '生成于',
    previousUntil: '前一个密钥有效至',
    grace: '当前密钥保留小时数',
    payload: '由载荷得到的参数',
    byName: '载荷的字段按名称作为参数。',
    limits: '每分钟 {perMinute} 次投递；签名在 {tolerance} 秒内有效',
    edit: '在定义中修改',
    howToSign: '如何签名',
    signText:
      '签名为对 id、时间和正文（以点连接）计算的 HMAC-SHA256，与 Standard Webhooks 相同。同一 id 再次投递不会启动运行，而是返回它已启动的运行。',
    deliveries: '最近的投递',
    none: '还没有收到投递',
    noneText: '投递及其结果列在这里，被拒绝的会说明原因。',
    received: '收到时间',
    delivery: '投递',
    outcome: '结果',
    outcomes: { accepted: '已接受', refused: '已拒绝' },
    repeats: '未重复 | 重复 1 次 | 重复 {n} 次',
    run: '运行',
    bytes: '字节',
    from: '来源',
  },
};
