import { parseWorkflowYaml } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { layeredWorkflow, talkativeWorkflow } from './workflows.js';

describe('workflows of the console bench', () => {
  it.each([layeredWorkflow(5000), talkativeWorkflow(200_000, 1000, 30)])('are valid', (document) => {
    expect(parseWorkflowYaml(JSON.stringify(document))).toMatchObject({ ok: true });
  });

  it('have as many tasks as asked, and needs in every layer but the first', () => {
    const tasks = Object.values(layeredWorkflow(120).tasks as Record<string, { needs?: string[] }>);
    expect(tasks).toHaveLength(120);
    expect(tasks.filter(({ needs }) => needs === undefined)).toHaveLength(50);
  });
});
