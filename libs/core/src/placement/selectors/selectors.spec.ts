import { describe, expect, it } from 'vitest';
import { aNode, aRequest, aTurn, requestsAlike, someResources } from '../fixtures/turn.fixture.js';
import type { NodeSnapshot } from '../node-snapshot.js';
import { type PlacementPolicy, selectorNames } from '../placement-policy.js';
import { placeTurn } from '../turn/place-turn.js';
import { selectors } from './selector-registry.js';
import type { SelectorState } from './smooth-weights.js';

const everyPolicy: PlacementPolicy[] = [
  ...selectorNames.map((selector) => ({ selector })),
  { selector: 'resource-pick-kx', k: 0 },
  { selector: 'resource-pick-kx', k: 'infinity' },
];

function nodesChosen(policy: PlacementPolicy, nodes: NodeSnapshot[], count: number, selectorState: SelectorState = {}): string[] {
  const turn = aTurn({ policy, nodes, selectorState, requests: requestsAlike(count) });
  return placeTurn(turn).placements.map((placement) => placement.nodeId);
}

describe('every selector', () => {
  it('is registered under its own name', () => {
    expect(selectorNames.map((name) => selectors[name].name)).toEqual([...selectorNames]);
  });

  it.each(everyPolicy)('spreads 15 tasks that arrive at once over two equal idle nodes: $selector, k = $k', (policy) => {
    const chosen = nodesChosen(policy, [aNode('a'), aNode('b')], 15);
    expect(chosen).toHaveLength(15);
    for (const id of ['a', 'b']) expect(chosen.filter((each) => each === id).length).toBeGreaterThanOrEqual(4);
  });

  it.each(everyPolicy)('never picks a node of performance 0: $selector, k = $k', (policy) => {
    const nodes = [aNode('a', { performance: 0 }), aNode('b', { performance: 0.1 }), aNode('c', { performance: 0 })];
    expect(new Set(nodesChosen(policy, nodes, 30))).toEqual(new Set(['b']));
  });

  it.each(everyPolicy)('lets all nodes of performance 0 mean waiting, not a uniform pick: $selector, k = $k', (policy) => {
    const nodes = [aNode('a', { performance: 0 }), aNode('b', { performance: 0 })];
    const { placements, waits } = placeTurn(aTurn({ policy, nodes, requests: requestsAlike(2) }));
    expect(placements).toEqual([]);
    expect(waits.map((wait) => wait.code)).toEqual(['unschedulable', 'unschedulable']);
    expect(waits[0]?.reason).toContain('node-a has performance 0');
  });

  it('waits with a reason when the policy gives no candidate a weight', () => {
    const policy = { selector: 'resource-pick-kx' as const, k: Number.NaN };
    const { waits } = placeTurn(aTurn({ policy, nodes: [aNode('a'), aNode('b', { performance: 2 })], requests: requestsAlike(1) }));
    expect(waits[0]).toMatchObject({ code: 'unschedulable', removed: [{ filter: 'selector', count: 2, examples: ['node-a', 'node-b'] }] });
    expect(waits[0]?.reason).toContain('resource-pick-kx gives none of 2 fitting nodes a weight: node-a (performance 1)');
  });
});

describe('smooth-weighted-round-robin', () => {
  const policy: PlacementPolicy = { selector: 'smooth-weighted-round-robin' };
  const nodes = [aNode('a', { performance: 5 }), aNode('b', { performance: 1 }), aNode('c', { performance: 1 })];

  it('gives a a b a c a a for performances 5, 1, 1, within one turn and over several', () => {
    expect(nodesChosen(policy, nodes, 7).join(' ')).toBe('a a b a c a a');
    let selectorState: SelectorState = {};
    const chosen: string[] = [];
    for (let turn = 0; turn < 7; turn += 1) {
      const result = placeTurn(aTurn({ policy, nodes, selectorState, requests: requestsAlike(1) }));
      selectorState = result.selectorState;
      chosen.push(result.placements[0]?.nodeId ?? 'none');
    }
    expect(chosen.join(' ')).toBe('a a b a c a a');
  });

  it('keeps one state per labels and runtime, whatever the spelling, the size and who is full', () => {
    const labelled = nodes.map((node) => ({ ...node, labels: { zone: 'dc1' } }));
    const full = { ...(labelled[1] as NodeSnapshot), reserved: someResources({ cpuMillis: 4000 }) };
    const requests = [
      aRequest('1', { labels: 'zone = dc1' }),
      aRequest('2', { labels: '  zone="dc1" ', resources: someResources({ cpuMillis: 10 }) }),
      aRequest('3'),
      aRequest('4', { runtime: 'python3' }),
    ];
    const { selectorState } = placeTurn(
      aTurn({ policy, nodes: [labelled[0] as NodeSnapshot, full, labelled[2] as NodeSnapshot], requests }),
    );
    expect(Object.keys(selectorState)).toEqual(['runtime * labels zone = dc1', 'runtime * labels *', 'runtime python3 labels *']);
    expect(Object.keys(selectorState['runtime * labels *'] ?? {})).toEqual(['a', 'b', 'c']);
  });

  it('tells the current weights it chose by', () => {
    const [first] = placeTurn(aTurn({ policy, nodes, requests: requestsAlike(1) })).placements;
    expect(first?.decision.scores.map(({ nodeId, weight, score }) => [nodeId, weight, score])).toEqual([
      ['a', 500, 500],
      ['b', 100, 100],
      ['c', 100, 100],
    ]);
  });
});

describe('earliest-finish', () => {
  const policy: PlacementPolicy = { selector: 'earliest-finish' };

  it('takes the fastest node that has room, then the next', () => {
    const oneSlot = { capacity: someResources({ cpuMillis: 1000 }) };
    const nodes = [aNode('slow', { ...oneSlot, performance: 1 }), aNode('fast', { ...oneSlot, performance: 4 })];
    const requests = requestsAlike(3, { resources: someResources({ cpuMillis: 1000 }), expectedSeconds: 60 });
    const { placements, waits } = placeTurn(aTurn({ policy, nodes, requests }));
    expect(placements.map(({ nodeId, decision }) => [nodeId, decision.scores[0]?.score])).toEqual([
      ['fast', 15],
      ['slow', 60],
    ]);
    expect(waits.map((wait) => wait.code)).toEqual(['no-capacity']);
  });

  it('alternates between equal nodes and prefers the emptier of unequal size', () => {
    expect(nodesChosen(policy, [aNode('a'), aNode('b')], 6).filter((id) => id === 'a')).toHaveLength(3);
    const half = aNode('half', { reserved: someResources({ cpuMillis: 2000 }) });
    expect(nodesChosen(policy, [half, aNode('idle', { heldAttempts: 3 })], 1)).toEqual(['idle']);
  });
});
