import { describe, expect, it } from 'vitest';
import { faultsOfUpstreams, type UpstreamDraft } from './upstream-draft.js';
import { draftOfWebhook, faultyPointers, isTolerance } from './webhook-draft.js';

const of = (workflow: string | null, day = 0): UpstreamDraft => ({ workflow, day, allHours: false });

describe('the upstreams of a form', () => {
  it.each([
    [
      [of('billing'), of(null, -1)],
      [null, null, null],
    ],
    [[of(' web/clicks ')], [null, null]],
    [[of('')], ['upstreamFault', null]],
    [[of('growth/a/b')], ['upstreamFault', null]],
    [[of('churn')], ['upstreamIsSelf', null]],
    [[of('growth/churn')], ['upstreamIsSelf', null]],
    [[of('other/churn')], [null, null]],
    [
      [of('a'), of('a', -1), of('a')],
      [null, null, 'upstreamTwice', null],
    ],
    [[of(null, -1)], [null, 'upstreamNone']],
  ])('have their faults where they are, case %#', (upstreams, expected) => {
    expect(faultsOfUpstreams(upstreams, 'growth/churn')).toEqual(expected);
  });
});

describe('the webhook of a form', () => {
  it('has faulty pointers only where it maps, and a tolerance between a second and a day', () => {
    const pointers = { day: 'order/day', region: '/region', note: '' };
    expect(faultyPointers({ ...draftOfWebhook({}), isMapped: true, pointers })).toEqual(['day']);
    expect(faultyPointers({ ...draftOfWebhook({}), pointers })).toEqual([]);
    expect(['1s', '24h', '25h', '5', '500ms'].map(isTolerance)).toEqual([true, true, false, false, false]);
  });
});
