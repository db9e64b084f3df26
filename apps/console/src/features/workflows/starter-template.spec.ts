import { parseWorkflowYaml } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { starterTemplate } from './starter-template.js';

describe('the starter template', () => {
  it('is a valid workflow of the given project', () => {
    const parsed = parseWorkflowYaml(starterTemplate('growth'));
    expect(parsed.ok ? [] : parsed.errors).toEqual([]);
    expect(parsed.ok && parsed.normalised.project).toBe('growth');
  });
});
