import { parseWorkflowJson, type TimetableDefinition, timetableOf } from '@medley/contracts';
import { AppError, type FieldError, phrase, type Timetable } from '@medley/core';

const place = 'schedules.preview.';

/**
 * The timetable of keys that are to be previewed. They are checked as those of a workflow file are, so that whatever a file may say can be previewed and nothing else. Throws
 * cron-invalid with the faults by key.
 */
export function timetableOfKeys(keys: TimetableDefinition): Timetable {
  const document = {
    medley: 1,
    project: 'preview',
    workflow: 'preview',
    schedules: { preview: keys },
    tasks: { preview: { kind: 'noop' } },
  };
  const parsed = parseWorkflowJson(document);
  if (parsed.ok) return timetableOf(keys)!;
  throw refusal(parsed.errors);
}

function refusal(errors: readonly FieldError[]): AppError {
  const fields = errors.map((error) => ({ ...error, path: error.path.startsWith(place) ? error.path.slice(place.length) : '' }));
  return new AppError('cron-invalid', phrase('rule-unreadable', { count: fields.length }), fields);
}
