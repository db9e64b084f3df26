import { parseWorkflowJson } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { replayDocument, replayTasks, sleepSeconds, workflowName } from './replay-workflow.js';

const cluster = { speeds: [1, 2], slotsPerNode: 4 };
const recorded = [
  { id: 'X.Y_1', seconds: 3, cores: 1, parents: [] },
  { id: 'X:Y_1', seconds: 0, cores: 8, parents: ['X.Y_1'] },
  { id: '9 lives', seconds: 1, cores: 2, parents: ['X.Y_1', 'X:Y_1'] },
];

describe('the workflow of a replay', () => {
  it('gives different ids different keys and keeps the dependencies', () => {
    const tasks = replayTasks(recorded, cluster, 2);
    expect(tasks.map(({ key, parents }) => [key, parents])).toEqual([
      ['X_Y_1', []],
      ['X_Y_1_2', ['X_Y_1']],
      ['t9_lives', ['X_Y_1', 'X_Y_1_2']],
    ]);
  });

  it('keeps keys apart that differ only beyond the length of a key', () => {
    const long = 'n'.repeat(120);
    const keys = replayTasks(
      [`${long}a`, `${long}b`].map((id) => ({ id, seconds: 1, cores: 1, parents: [] })),
      cluster,
      1,
    ).map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
    expect(Math.max(...keys.map((key) => key.length))).toBeLessThanOrEqual(100);
  });

  it('scales runtimes, divides them by the speed and cuts cores to the slots of a node', () => {
    const [first, second] = replayTasks(recorded, cluster, 2);
    expect(sleepSeconds(first!, 1)).toBe(6);
    expect(sleepSeconds(first!, 2)).toBe(3);
    expect(second!.cores).toBe(4);
  });

  it('is a valid workflow whose scripts say their key once and sleep by the speed of the node', () => {
    const document = replayDocument('replay-x', replayTasks(recorded, cluster, 2), cluster.speeds, 500);
    const parsed = parseWorkflowJson(document);
    expect(parsed).toMatchObject({ ok: true });
    const { tasks } = document as { tasks: Record<string, { run: string; resources: { cpu: number } }> };
    expect(tasks.X_Y_1!.run).toContain('1) exec sleep 6.0000 ;;\n2) exec sleep 3.0000 ;;');
    expect(tasks.X_Y_1!.run.match(/echo X_Y_1$/gm)).toHaveLength(1);
    expect(tasks.X_Y_1_2!.run).toBe('echo X_Y_1_2\n');
    expect(tasks.X_Y_1_2!.resources.cpu).toBe(2);
  });

  it('makes a workflow name out of any recorded name', () => {
    expect(workflowName('1000Genome 10ch/250k')).toBe('replay-genome-10ch-250k');
  });
});
