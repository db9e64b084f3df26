import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { workflowJsonSchema } from '@medley/contracts';
import { placeOf } from './key-path.js';
import { type JsonSchema, keysAt, valuesAt } from './schema-walk.js';

const schema = workflowJsonSchema() as JsonSchema;

/** Completes keys and choices of the workflow file, and the names of tasks in `needs`. */
export function completeWorkflow(context: CompletionContext): CompletionResult | null {
  const text = context.state.sliceDoc(0, context.pos);
  const inNeeds = /needs:\s*\[[^\]]*?([\w-]*)$/.exec(text);
  if (inNeeds !== null) return taskNames(context, inNeeds[1]!);
  const place = placeOf(text);
  if (place === null || (place.typed === '' && !context.explicit && !place.isValue)) return null;
  const from = context.pos - place.typed.length;
  const options = place.isValue
    ? valuesAt(schema, [...place.path, place.key!]).map((label) => ({ label, type: 'enum' }))
    : keysAt(schema, place.path).map(({ key, takesMap }) => ({ label: key, apply: `${key}:${takesMap ? '' : ' '}`, type: 'property' }));
  return options.length === 0 ? null : { from, options, validFor: /^[\w.-]*$/ };
}

function taskNames(context: CompletionContext, typed: string): CompletionResult | null {
  const tasks = /^tasks:\s*\n((?:[ \t]+.*\n?|\s*\n)*)/m.exec(context.state.doc.toString());
  const names = [...(tasks?.[1] ?? '').matchAll(/^ {2}([\w-]+):/gm)].map((match) => match[1]!);
  return { from: context.pos - typed.length, options: names.map((label) => ({ label, type: 'variable' })), validFor: /^[\w-]*$/ };
}
