import { hasReference, isInstant, isPathBelow, needConditions, phrase } from '@medley/core';
import { z } from 'zod';
import { integerLeaf, leaf, notOfForm, patternLeaf, tell, textLeaf } from './leaf.js';
import { environmentNameSchema, keySchema, keysOf, nameSchema } from './names.js';
import { parameterValueSchema } from './schedule.schema.js';
import {
  cpuSchema,
  dataSizeSchema,
  delaySchema,
  environmentValueSchema,
  expressionSchema,
  filePathSchema,
  labelsExpressionSchema,
  untilSchema as loopUntilSchema,
  outputExpressionSchema,
  periodSchema,
  scriptSchema,
  templateSchema,
  timeoutSchema,
  urlSchema,
} from './values.js';

export const taskKinds = ['shell', 'python', 'node', 'http', 'noop', 'approval', 'wait-for', 'switch', 'workflow'] as const;
export type TaskKind = (typeof taskKinds)[number];

const needListSchema = z.array(keySchema).max(10_000);
const needMapSchema = z.record(keySchema, z.enum(needConditions as ['succeeded', 'failed', 'done', 'skipped']));

/** A list: all succeeded. A map: a condition per task. `any`: one of them is enough. */
export const needsSchema = z.union([needListSchema, z.strictObject({ any: z.union([needListSchema, needMapSchema]) }), needMapSchema]);

/** `attempts` counts the first try. */
export const retrySchema = z.strictObject({
  attempts: integerLeaf(1, 100).optional(),
  delay: delaySchema.optional(),
  backoff: z.enum(['fixed', 'exponential']).optional(),
  maxDelay: delaySchema.optional(),
});

export const taskResourcesSchema = z.strictObject({
  cpu: cpuSchema.optional(),
  memory: dataSizeSchema.optional(),
  disk: dataSizeSchema.optional(),
  gpu: z.strictObject({ count: integerLeaf(0, 64) }).optional(),
});

export const maxLimitsPerTask = 20;

/** A list takes one slot of each; a map says how many. 0 takes none of a limit that all tasks of the workflow take. */
export const limitsSchema = z.union([z.array(nameSchema).max(maxLimitsPerTask), z.record(nameSchema, integerLeaf(0, 1_000_000))]);

export const onLeaseLostSchema = z.enum(['finish', 'stop']);
const statusSchema = integerLeaf(100, 599);
const headerNameSchema = keysOf(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/, 'header-name-form');

/** What a task of `kind: wait-for` looks at. */
export const waitHttpSchema = z.strictObject({
  url: urlSchema,
  method: patternLeaf(/^(GET|HEAD)$/, phrase('look-method-form')).optional(),
  headers: z.record(headerNameSchema, templateSchema).optional(),
  expectStatus: z.union([statusSchema, z.array(statusSchema).min(1).max(100)]).optional(),
});

const nodeNameSchema = patternLeaf(/^[a-z0-9]([a-z0-9._-]{0,62}[a-z0-9])?$/, phrase('node-name-form'));

/** A file on a node. Without `node`, the task's labels say on which nodes. */
export const waitFileSchema = z.strictObject({ path: filePathSchema, node: nodeNameSchema.optional() });

/** An instant with its zone, in which case it is checked here, or a text with value expressions. */
const untilSchema = textLeaf((text) => {
  if (hasReference(text) || isInstant(text)) return null;
  return phrase('not-allowed', { value: tell(text), hint: '' });
}, phrase('instant-with-zone-form'));

/** Who may decide on an approval. */
const approverSchema = patternLeaf(
  /^(role:(viewer|operator|developer|admin)|user:[^\s:]{1,200}|group:[^:]{1,200})$/,
  phrase('approver-form'),
);

export const onDeadlineSchema = z.enum(['fail', 'skip', 'succeed']);
/** A task is mapped over at most so many items. */
export const maxMapItems = 10_000;

const mapItemSchema = z.union([z.string(), z.number(), z.boolean()]);

/** `over`: the items, or an expression that yields them. `onFailure: stop` lets no further item begin once one has failed. */
export const mapSchema = z.strictObject({
  over: z.union([z.array(mapItemSchema).max(maxMapItems), templateSchema]),
  as: keySchema.optional(),
  parallel: integerLeaf(1, maxMapItems).optional(),
  onFailure: z.enum(['finish', 'stop']).optional(),
});

const maxVersion = 2_147_483_647;

/** The version of a workflow that a task runs. */
const versionSchema = leaf<'latest' | number>(
  (value) => {
    if (value === 'latest') return null;
    if (typeof value !== 'number' || !Number.isInteger(value)) return notOfForm(value, phrase('version-form'));
    return value < 1 || value > maxVersion ? phrase('outside-range', { value, min: 1, max: maxVersion }) : null;
  },
  phrase('version-form'),
  { anyOf: [{ const: 'latest' }, { type: 'integer', minimum: 1 }] },
);

/** A task is repeated at most so many times. */
export const maxIterations = 1000;

/** One iteration after the other, `delay` between them, until the expression holds; `onMax` says how the task ends where it never does. */
export const loopSchema = z.strictObject({
  until: loopUntilSchema,
  max: integerLeaf(1, maxIterations),
  delay: delaySchema.optional(),
  onMax: z.enum(['fail', 'succeed']).optional(),
});

const filePatternSchema = textLeaf(
  (text) => (isPathBelow(text) ? null : phrase('not-allowed', { value: tell(text), hint: '' })),
  phrase('file-pattern-form'),
);
const fileFolderSchema = textLeaf(
  (text) => (isPathBelow(text) ? null : phrase('not-allowed', { value: tell(text), hint: '' })),
  phrase('file-folder-form'),
);
const filePatternsSchema = z.array(filePatternSchema).min(1).max(50);

/** Files that task `from` has kept, placed in the folder `to` before the task begins: all of them, or those of `patterns`. */
export const fetchSchema = z.strictObject({ from: keySchema, patterns: filePatternsSchema.optional(), to: fileFolderSchema.optional() });

/** Files of the working directory: those kept when the task has succeeded, and those of earlier tasks that it finds there. */
export const filesSchema = z.strictObject({ keep: filePatternsSchema.optional(), fetch: z.array(fetchSchema).min(1).max(50).optional() });

const branchSchema = z.array(keySchema).min(1).max(1000);

export const taskSchema = z.strictObject({
  kind: z.enum(taskKinds).optional(),
  run: scriptSchema.optional(),
  python: scriptSchema.optional(),
  node: scriptSchema.optional(),
  method: patternLeaf(/^(GET|HEAD|POST|PUT|PATCH|DELETE)$/, phrase('method-form')).optional(),
  url: urlSchema.optional(),
  headers: z.record(headerNameSchema, templateSchema).optional(),
  body: templateSchema.optional(),
  outputs: z.record(keySchema, outputExpressionSchema).optional(),
  expectStatus: z.union([statusSchema, z.array(statusSchema).min(1).max(100)]).optional(),
  needs: needsSchema.optional(),
  when: expressionSchema.optional(),
  map: mapSchema.optional(),
  loop: loopSchema.optional(),
  on: expressionSchema.optional(),
  cases: z.record(z.string().min(1).max(200), branchSchema).optional(),
  default: branchSchema.optional(),
  workflow: nameSchema.optional(),
  version: versionSchema.optional(),
  parameters: z.record(keySchema, parameterValueSchema).optional(),
  env: z.record(environmentNameSchema, environmentValueSchema).optional(),
  resources: taskResourcesSchema.optional(),
  labels: labelsExpressionSchema.optional(),
  retry: retrySchema.optional(),
  timeout: timeoutSchema.optional(),
  deadline: timeoutSchema.optional(),
  onDeadline: onDeadlineSchema.optional(),
  until: untilSchema.optional(),
  for: timeoutSchema.optional(),
  http: waitHttpSchema.optional(),
  file: waitFileSchema.optional(),
  every: periodSchema.optional(),
  by: z.array(approverSchema).min(1).max(50).optional(),
  priority: integerLeaf(-1000, 1000).optional(),
  pool: nameSchema.optional(),
  onLeaseLost: onLeaseLostSchema.optional(),
  limits: limitsSchema.optional(),
  mutex: nameSchema.optional(),
  files: filesSchema.optional(),
});

export type TaskDefinition = z.infer<typeof taskSchema>;
export type NeedsDefinition = z.infer<typeof needsSchema>;
export type LimitsDefinition = z.infer<typeof limitsSchema>;
export type RetryDefinition = z.infer<typeof retrySchema>;
