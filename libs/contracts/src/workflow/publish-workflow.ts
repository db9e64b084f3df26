import { stringify } from 'yaml';
import { z } from 'zod';
import { type WorkflowDefinition, workflowSchema } from './schema/workflow.schema.js';

/** A definition as YAML for people: keys in their own order, scripts as blocks. Parsing it yields the same definition. */
export function workflowToYaml(definition: WorkflowDefinition): string {
  return stringify(definition, { version: '1.2', lineWidth: 0, aliasDuplicateObjects: false });
}

/** The published JSON Schema of the workflow file, with which editors complete and check. */
export function workflowJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(workflowSchema, { target: 'draft-2020-12', io: 'input' });
  return { ...schema, title: 'Medley workflow file' };
}
