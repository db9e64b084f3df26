import { describe, expect, it } from 'vitest';
import { aNode, someResources } from '../fixtures/turn.fixture.js';
import { parseLabelExpression } from '../labels/parse-label-expression.js';
import type { NodeSnapshot } from '../node-snapshot.js';
import { toWorkingNode } from '../turn/working-node.js';
import { obstacleCodes } from '../wait-values.js';
import { nodesToAvoid } from './avoid-nodes.filter.js';
import { allFilters, firstRejection } from './filter-chain.js';
import type { FilterRequest } from './node-filter.js';

const gpuLabels = parseLabelExpression('gpu = t4');
const plain: FilterRequest = { resources: someResources({ cpuMillis: 1000 }), labels: null, runtime: null };

function rejection(node: Partial<NodeSnapshot>, request: Partial<FilterRequest> = {}) {
  const working = toWorkingNode(aNode('a', node));
  const full = { ...plain, ...request };
  const filter = firstRejection(allFilters, working, full);
  return (
    filter && {
      name: filter.name,
      summary: filter.summary(full, working),
      detail: filter.detail(working, full),
      obstacle: filter.obstacle(working, full),
    }
  );
}

describe('the filter chain', () => {
  it('lets a roomy node in service pass', () => {
    expect(rejection({})).toBeUndefined();
  });

  it.each<[string, Partial<NodeSnapshot>, Partial<FilterRequest>, string]>([
    ['labels', {}, { labels: gpuLabels.ok ? gpuLabels.expression : null }, 'does not match gpu = t4'],
    ['runtime', { runtimes: ['node'] }, { runtime: 'python3' }, 'has no python3 (linux, with node)'],
    ['runtime', { runtimes: [] }, { runtime: 'node' }, 'has no node (linux, with no runtime)'],
    ['size', {}, { resources: someResources({ cpuMillis: 8000 }) }, 'has 4 cores of 8 asked'],
    ['size', {}, { resources: someResources({ gpuCount: 1 }) }, 'has 0 GPUs of 1 asked'],
    ['cordon-drain', { cordoned: true }, {}, 'is cordoned'],
    ['cordon-drain', { cordoned: true, draining: true }, {}, 'is draining'],
    ['reachability', { reachable: false }, {}, 'has sent no heartbeat lately'],
    ['reachability', { offline: true }, {}, 'is offline'],
    ['load-threshold', { cpuPercent: 90, maxCpuPercent: 90 }, {}, "has a CPU load of 90 % (the pool's maximum is 90 %)"],
    ['masking', { masksSecrets: false }, { needsMasking: true }, 'has an agent that cannot mask secrets and has to be updated'],
    ['files', { movesFiles: false }, { needsFiles: true }, 'has an agent that cannot keep or fetch working files and has to be updated'],
    ['performance', { performance: 0 }, {}, 'has performance 0'],
    ['performance', { performance: Number.NaN }, {}, 'has performance NaN'],
    ['performance', { performance: 5e-324 }, {}, 'has performance 5e-324'],
    ['attempt-slots', { heldAttempts: 8, maxAttempts: 8 }, {}, 'holds 8 of 8 attempts'],
    ['capacity', { reserved: someResources({ cpuMillis: 3500 }) }, {}, '3.5 of 4 cores reserved'],
  ])('removes a node by %s, with the reason', (name, node, request, detail) => {
    const found = rejection(node, request);
    expect(found).toMatchObject({ name, detail });
    expect(obstacleCodes).toContain(found?.obstacle.code);
    expect(found?.summary.code).toMatch(/^removed-/);
  });

  it('takes the shell as there on every platform', () => {
    expect(rejection({ runtimes: [] }, { runtime: 'shell' })).toBeUndefined();
  });

  it('asks for masking only where there are secrets, and of no node that does not tell', () => {
    expect(rejection({ masksSecrets: false })).toBeUndefined();
    expect(rejection({}, { needsMasking: true })).toBeUndefined();
    expect(rejection({ movesFiles: false })).toBeUndefined();
  });

  it('lets a node pass whose load is below the maximum, and one whose load or maximum is unknown', () => {
    expect(rejection({ cpuPercent: 89, maxCpuPercent: 90 })).toBeUndefined();
    expect(rejection({ cpuPercent: 99 })).toBeUndefined();
    expect(rejection({ maxCpuPercent: 1 })).toBeUndefined();
  });
});

describe('nodesToAvoid', () => {
  const nodes = ['a', 'b', 'c'].map((id) => toWorkingNode(aNode(id)));
  const avoided = (...ids: string[]) => nodesToAvoid(nodes, new Set(ids)).map((node) => node.snapshot.id);

  it('names the candidates to pass over', () => {
    expect(avoided('a', 'c', 'unknown')).toEqual(['a', 'c']);
  });

  it('names none when nothing else would be left', () => {
    expect(avoided('a', 'b', 'c')).toEqual([]);
  });
});
