import { describe, expect, it } from 'vitest';
import { workflowJsonSchema } from './index.js';

describe('the published JSON Schema', () => {
  it('knows the keys, refuses others and carries the patterns', () => {
    expect(workflowJsonSchema()).toMatchObject({
      required: ['medley', 'project', 'workflow', 'tasks'],
      additionalProperties: false,
      properties: {
        tasks: {
          additionalProperties: {
            additionalProperties: false,
            properties: {
              timeout: { type: 'string', pattern: expect.stringContaining('ms|s|m|h|d') },
              kind: { enum: ['shell', 'python', 'node', 'http', 'noop', 'approval', 'wait-for', 'switch', 'workflow'] },
            },
          },
        },
      },
    });
  });
});
