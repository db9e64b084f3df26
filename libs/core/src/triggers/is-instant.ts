const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Whether a text is an instant that needs nothing beside it: date, time and zone as in ISO 8601, e.g. `2026-03-01T07:00:00+08:00`. */
export function isInstant(text: string): boolean {
  return form.test(text) && !Number.isNaN(Date.parse(text));
}
