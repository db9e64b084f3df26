import type { Obstacle } from '@medley/core';
import { obstacleCodes } from '@medley/core';
import { describe, expect, it } from 'vitest';
import { createI18n } from 'vue-i18n';
import { formatAbsolute } from '../../format/instant.js';
import { i18n } from '../../i18n/i18n.js';
import { messages as english } from '../../i18n/messages/en/index.js';
import { messages as chinese } from '../../i18n/messages/zh-cn/index.js';
import { obstacleText, reasonDetail, type Translate } from './reason-detail.js';
import { reasonLine } from './reason-text.js';

function translator(locale: 'en' | 'zh'): Translate {
  const i18n = createI18n({ legacy: false, locale, missingWarn: false, messages: { en: english, zh: chinese } });
  return (key, values) => i18n.global.t(key, values ?? {});
}
const en = translator('en');
const zh = translator('zh');

const attempt = { number: 2, node: 'alpha', state: 'failed', exitCode: 7, signal: null, detail: null };
const reserved = { code: 'reserved', resource: 'cpuMillis', reserved: 1000, capacity: 1500 };
const nodes = [
  { node: 'alpha', obstacle: reserved },
  { node: 'beta', obstacle: { code: 'too-small', resource: 'memoryMib', capacity: 2048, asked: 4096 } },
];
const holder = { taskRunId: 't', runId: '0000-12345678', workflow: 'churn', task: 'train', slots: 1 };
const aLimit = (kind: string, fields: object) => ({ kind, name: 'gpu', code: 'full', asks: 1, holders: [], more: 0, ...fields });
const parents = [{ key: 'extract', state: 'retry-wait', needed: 'succeeded' }];

describe('the detail of a reason', () => {
  it.each([
    ['no-node', {}, 'starts when one joins', '有节点加入后即开始'],
    [
      'no-capacity',
      { nodes, more: 3 },
      'alpha 1 of 1.5 cores reserved, beta has 2 GiB memory of 4 GiB asked, and 3 more; starts when one has room',
      'alpha 的核心已预留 1 / 1.5、beta 的内存只有 2 GiB，需要 4 GiB，另有 3 个；有节点腾出空间后即开始',
    ],
    [
      'infeasible',
      { nodes: [], more: 0, asks: { cpuMillis: 64_000, memoryMib: 0, diskMib: 0, gpuCount: 1, runtime: 'python3', labels: true } },
      'asks for 64 cores, 1 GPUs, python3, its labels: ; ask for less, change labels or runtime, or add a node that fits',
      '需要 64 核心、1 GPU、python3、其标签：；请减少需求、修改标签或运行时，或添加合适的节点',
    ],
    [
      'waiting-for-parents',
      { mode: 'any', parents, more: 0 },
      'one of extract (is: Retry soon; needed: has succeeded)',
      '以下之一：extract（当前：等待重试；需要：成功）',
    ],
    [
      'waiting-for-claim',
      { node: 'alpha', times: 3 },
      'sent to alpha (sends: 3); its agent has not claimed it yet',
      '已向 alpha 发送 3 次；其代理尚未认领',
    ],
    [
      'limit-full',
      {
        limits: [
          aLimit('limit', { slots: 3, taken: 3, holders: [holder], more: 2 }),
          aLimit('quota', { resource: 'cpuMillis', slots: 2000, taken: 1500 }),
        ],
      },
      'limit gpu: 3 of 3, held by churn/train (run 12345678), and 2 more; quota of project gpu: cores: 1.5 of 2',
      '限额 gpu：已占用 3 / 3，持有者：churn/train（运行 12345678），另有 2 个；项目 gpu 的配额（核心）：已占用 1.5 / 2',
    ],
    [
      'run-queued',
      { key: 'day-1', limit: 1, admitted: 1, holders: [{ runId: '0000-12345678' }], more: 0, before: 2 },
      'the key “day-1” has 1 of 1 runs, held by run 12345678; before it in the queue: 2',
      '并发键“day-1”已有 1 / 1 个运行，占用者：运行 12345678；前面还有 2 个在等待',
    ],
    ['running', { node: 'alpha' }, 'on alpha', '位于 alpha'],
    [
      'failed',
      { attempt: { ...attempt, detail: 'disk full' } },
      'attempt 2 failed on alpha with exit code 7: disk full',
      '第 2 次尝试在 alpha 上失败，退出码 7：disk full',
    ],
    ['lost', { attempt: { ...attempt, state: 'lost' } }, 'attempt 2 was lost with alpha', '第 2 次尝试随 alpha 失联'],
    ['skipped', { parents, more: 0 }, expect.stringContaining('extract'), expect.stringContaining('需要：成功')],
  ])('of %s is told in both languages', (code, values, inEnglish, inChinese) => {
    expect(reasonDetail({ code, values }, en)).toEqual(inEnglish);
    expect(reasonDetail({ code, values }, zh)).toEqual(inChinese);
  });

  it('names every obstacle that a node can be in both languages', () => {
    const all = { resource: 'diskMib', reserved: 1, capacity: 2, asked: 3, held: 1, max: 2, labels: 'a = b', performance: 0 };
    const more = { cpuPercent: 90, maxCpuPercent: 80, runtime: 'node', platform: 'linux', runtimes: 'shell' };
    for (const code of obstacleCodes) {
      for (const t of [en, zh]) expect(obstacleText({ ...all, ...more, code } as Obstacle, t)).not.toMatch(/[{}]|obstacle\./);
    }
  });

  it('is what the English text says where a reason has no values or a code that the console does not know', () => {
    expect(reasonDetail({ code: 'no-capacity' }, zh)).toBeNull();
    expect(reasonDetail({ code: 'limit-full', values: { limit: 'a' } }, zh)).toBeNull();
  });

  it('stands behind the headline, all in the reader’s language', () => {
    const reason = { code: 'no-capacity', text: 'every node that fits is full: …', values: { nodes: nodes.slice(0, 1), more: 0 } };
    expect(reasonLine(reason, zh)).toBe('符合条件的节点都已占满 · alpha 的核心已预留 1 / 1.5；有节点腾出空间后即开始');
  });

  it('of a wait says what the last look found and when the next one is, in the language of the reader', () => {
    const lastAt = '2026-03-01T07:00:00.000Z';
    const nextAt = '2026-03-01T07:00:30.000Z';
    const told = (language: string) => [lastAt, nextAt].map((at) => formatAbsolute(at, language)) as [string, string];
    const [last, next] = told('en');
    const [lastInChinese, nextInChinese] = told('zh-CN');
    const found = { code: 'look-status', values: { status: 404 } };
    const reason = { code: 'waiting-for-http', text: '', values: { target: 'https://lake/', looks: 2, found, lastAt, nextAt } };
    expect(reasonDetail(reason, en)).toBe(`https://lake/: status 404 at ${last}; next look at ${next}`);
    const locale = i18n.global.locale as unknown as { value: string };
    locale.value = 'zh-CN';
    expect(reasonDetail(reason, zh)).toBe(`https://lake/：${lastInChinese} 查看，结果：状态码 404；下次查看于 ${nextInChinese}`);
    const places = [
      { code: 'look-on-node', values: { node: 'edge-1', found: { code: 'look-file-absent' } } },
      { code: 'looks-more', values: { count: 2 } },
    ];
    const file = { ...reason.values, target: '/in/x', found: { code: 'looks-on-nodes', values: { each: places } } };
    expect(reasonDetail({ code: 'waiting-for-file', values: file }, zh)).toContain('/in/x：');
    expect(reasonDetail({ code: 'waiting-for-file', values: file }, zh)).toContain('edge-1：没有此文件、及另外 2 个节点');
    locale.value = 'en';
    expect(reasonDetail({ ...reason, values: { target: 'https://lake/', looks: 0 } }, en)).toBe('https://lake/; nobody has looked yet');
  });
});
