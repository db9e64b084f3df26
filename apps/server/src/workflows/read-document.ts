import {
  type KnownLimit,
  type ParsedWorkflow,
  parseWorkflowJson,
  parseWorkflowYaml,
  type WorkflowDefinition,
  type WorkflowDocument,
  type WorkflowSpec,
  type WorkflowSurroundings,
  workflowToYaml,
} from '@medley/contracts';
import { AppError, type FieldError } from '@medley/core';
import type { Sql } from '@medley/database';
import { unstorableText } from '../rest/storable-text.js';
import { readKnownWorkflows } from '../sub-workflows/known-workflows.js';

/** A definition that may be stored. `source` is the text it came from; for JSON, a rendering that keeps the order of the tasks. */
export interface ReadWorkflow {
  definition: WorkflowDefinition;
  spec: WorkflowSpec;
  source: string;
}

export type WorkflowReading = { ok: true; workflow: ReadWorkflow } | { ok: false; errors: FieldError[] };

const knownLimits = `
select l.name, p.name as project, l.slots from limits l left join projects p on p.id = l.project_id
where l.removed_at is null and l.kind = 'limit' and p.removed_at is null order by l.name`;

/** Every fault of a document at once: those of its form, and pools, limits and workflows that do not exist. */
export async function readDocument(sql: Sql, document: WorkflowDocument): Promise<WorkflowReading> {
  const [pools, limits] = await Promise.all([
    sql.query<{ name: string }>('select name from pools where removed_at is null order by name'),
    sql.query<KnownLimit>(knownLimits),
  ]);
  const surroundings = { pools: pools.map(({ name }) => name), limits };
  const parse = (more: WorkflowSurroundings): ParsedWorkflow =>
    typeof document === 'string' ? parseWorkflowYaml(document, more) : parseWorkflowJson(document, more);
  const alone = parse(surroundings);
  if (!alone.ok) return alone;
  const workflows = await readKnownWorkflows(sql, alone.definition.project, alone.definition);
  const parsed = workflows === undefined ? alone : parse({ ...surroundings, workflows });
  if (!parsed.ok) return parsed;
  const { definition, normalised: spec } = parsed;
  const unstorable = unstorableText(definition); // YAML can write what its text does not hold: "\0"
  if (unstorable) return { ok: false, errors: [unstorable] };
  return { ok: true, workflow: { definition, spec, source: typeof document === 'string' ? document : workflowToYaml(definition) } };
}

/** The same for a caller that cannot go on with faults. Throws workflow-invalid. */
export async function requireDocument(sql: Sql, document: WorkflowDocument): Promise<ReadWorkflow> {
  const reading = await readDocument(sql, document);
  if (reading.ok) return reading.workflow;
  const [first] = reading.errors;
  const where = first?.line ? `line ${first.line}: ` : '';
  const more = reading.errors.length > 1 ? ` (and ${reading.errors.length - 1} more)` : '';
  throw new AppError('workflow-invalid', `${where}${first?.path ? `${first.path}: ` : ''}${first?.message}${more}`, reading.errors);
}
