import { type RestRoute, restRoutes } from '@medley/contracts';
import { AppError, type FieldError, fieldError, phrase } from '@medley/core';
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { issueText } from './issue-text.js';
import { unknownKeys } from './unknown-keys.js';

/** Where a key that nobody knows is a fault. The agent protocol is not among them: there a newer version may send more than an older one knows. */
const restSchemas = new Set<unknown>(Object.values(restRoutes as Record<string, RestRoute>).flatMap(({ query, body }) => [query, body]));

/** Checks what carries a zod schema (`@Body({ schema })`) and hands on the parsed value; every fault is told at once. */
@Injectable()
export class ZodValidationPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const schema = (metadata as { schema?: unknown }).schema;
    if (!(schema instanceof z.ZodType)) return value;
    const given = metadata.type === 'body' ? (value ?? {}) : value;
    const kind = metadata.type === 'query' ? 'query parameter' : 'field';
    const foreign = restSchemas.has(schema) ? unknownKeys(schema, given, kind) : [];
    const parsed = schema.safeParse(given);
    const fields = [...foreign, ...(parsed.success ? [] : faultsOf(parsed.error.issues, given, foreign))];
    if (parsed.success && fields.length === 0) return parsed.data;
    throw refusal(fields, metadata.type);
  }
}

/** A refusal that tells the first fault in its detail and all of them by field. */
export function refusal(fields: readonly FieldError[], place: string): AppError {
  const [first] = fields;
  const more = fields.length > 1 ? `, and ${fields.length - 1} more` : '';
  return new AppError('validation-failed', `${first?.path || place}: ${first?.message}${more}`, fields);
}

/** One fault per path: of two bounds that a value breaks, the tighter one. */
function faultsOf(issues: readonly z.core.$ZodIssue[], value: unknown, told: readonly FieldError[]): FieldError[] {
  const sorted = [...issues].sort((left, right) => boundOf(left) - boundOf(right));
  const faults = new Map(told.map(({ path }) => [path, null as FieldError | null]));
  for (const fault of sorted.flatMap((issue) => fieldErrorsOf(issue, value))) {
    if (!faults.has(fault.path)) faults.set(fault.path, fault);
  }
  return [...faults.values()].filter((fault) => fault !== null);
}

function boundOf(issue: z.core.$ZodIssue): number {
  return issue.code === 'too_big' ? Number(issue.maximum) : 0;
}

function fieldErrorsOf(issue: z.core.$ZodIssue, value: unknown): FieldError[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const text = phrase('unknown-field', { kind: phrase('a-field'), hint: '' });
    return issue.keys.map((key) => fieldError([...issue.path, key].join('.'), text));
  }
  const text = issueText(issue, valueAt(value, issue.path));
  return [typeof text === 'string' ? { path, message: text } : fieldError(path, text)];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    value,
  );
}
