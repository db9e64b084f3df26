import { parseWorkflowYaml, type WorkflowDefinition } from '@medley/contracts';
import type { FieldError } from '@medley/core';
import { layoutGraph } from '../../../graph/dag-layout.js';
import { canvasThreshold, type GraphLayout, type GraphTask } from '../../../graph/graph-model.js';
import { graphOfDefinition } from '../workflow-graph.js';

/** What a text says. `layout` comes with graphs that are costly to lay out; small ones are laid out for the pane that shows them. */
export type WorkflowReading =
  | { ok: true; definition: WorkflowDefinition; tasks: GraphTask[]; layout: GraphLayout | null }
  | { ok: false; errors: FieldError[] };

export function readWorkflow(text: string): WorkflowReading {
  const parsed = parseWorkflowYaml(text);
  return parsed.ok ? readingOf(parsed.definition) : { ok: false, errors: parsed.errors };
}

/** The same of a definition that is known to be valid: one that was stored. */
export function readingOf(definition: WorkflowDefinition): WorkflowReading & { ok: true } {
  const tasks = graphOfDefinition(definition);
  return { ok: true, definition, tasks, layout: tasks.length > canvasThreshold ? layoutGraph(tasks) : null };
}
