import { AppError, type FieldError } from '@medley/core';
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';

/** Checks what carries a zod schema (`@Body({ schema })`) and hands on the parsed value; every fault is told at once. */
@Injectable()
export class ZodValidationPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const schema = (metadata as { schema?: unknown }).schema;
    if (!(schema instanceof z.ZodType)) return value;
    const parsed = schema.safeParse(metadata.type === 'body' ? (value ?? {}) : value);
    if (parsed.success) return parsed.data;
    const fields = parsed.error.issues.flatMap(fieldErrorsOf);
    const [first] = fields;
    const more = fields.length > 1 ? `, and ${fields.length - 1} more` : '';
    throw new AppError('validation-failed', `${first?.path || metadata.type}: ${first?.message}${more}`, fields);
  }
}

function fieldErrorsOf(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'is not a known field' }));
  }
  return [{ path: issue.path.join('.'), message: issue.message }];
}
