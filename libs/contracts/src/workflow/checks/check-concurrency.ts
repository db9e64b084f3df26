import { phrase } from '@medley/core';
import { entry, type WorkflowFault } from '../fault.js';
import type { Suggestions } from '../suggestions.js';
import { checkTemplate } from './check-expressions.js';
import { declarations } from './check-parameters.js';

/** That every name in the key of a workflow's runs has a value when a run is created. */
export function checkConcurrency(document: unknown, suggestions: Suggestions): WorkflowFault[] {
  const roots = new Set(['parameters', 'run', 'schedule']);
  const why = (name: string) => phrase('reference-not-in-key', { name });
  const key = entry(entry(document, 'concurrency'), 'key');
  return checkTemplate(['concurrency', 'key'], key, { roots, why, declared: declarations(document), suggestions });
}
