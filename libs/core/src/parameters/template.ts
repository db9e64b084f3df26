/** What a value expression may name. `parameters` is followed by a parameter's name. */
export const referenceNames = ['run.id', 'run.workflow', 'task.key', 'schedule.fireTime', 'schedule.date'] as const;

export type Reference = { kind: 'parameter'; name: string } | { kind: (typeof referenceNames)[number] };

export type TemplatePart = { text: string } | { reference: Reference; source: string };

/** A fault in a template: the expression as written, and what to write instead. */
export interface TemplateFault {
  expression: string;
  message: string;
}

export type ParsedTemplate = { ok: true; parts: TemplatePart[] } | { ok: false; faults: TemplateFault[] };

const opening = '${{';
const closing = '}}';

/** Names that WORKFLOW files will know later; they deserve a better answer than "unknown". */
const laterRoots = new Set(['secrets', 'map', 'tasks', 'outputs', 'inputs', 'env', 'calendar', 'project', 'node']);

/** Splits a text into plain parts and `${{ }}` references. `$${{` stands for a literal `${{`. */
export function parseTemplate(template: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  const faults: TemplateFault[] = [];
  let plain = '';
  let at = 0;
  while (at < template.length) {
    const start = template.indexOf(opening, at);
    if (start < 0) break;
    if (template[start - 1] === '$' && start > at) {
      plain += template.slice(at, start - 1) + opening;
      at = start + opening.length;
      continue;
    }
    const end = template.indexOf(closing, start);
    if (end < 0) {
      faults.push({ expression: template.slice(start, start + 40), message: `\`${opening}\` has no closing \`${closing}\`` });
      return { ok: false, faults };
    }
    plain += template.slice(at, start);
    at = end + closing.length;
    const parsed = parseReference(template.slice(start + opening.length, end).trim());
    if (typeof parsed === 'string') {
      faults.push({ expression: template.slice(start, at), message: parsed });
      continue;
    }
    if (plain !== '') parts.push({ text: plain });
    plain = '';
    parts.push({ reference: parsed, source: template.slice(start, at) });
  }
  plain += template.slice(at);
  if (plain !== '') parts.push({ text: plain });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, parts };
}

/** Whether a text holds a value expression, so that it must not stand where values are refused. */
export function hasReference(text: string): boolean {
  return text.includes(opening);
}

export const referencesAllowed = ['parameters.NAME', ...referenceNames].map((name) => `\`${name}\``).join(', ');

/** Why a script may not hold `${{ }}`, and what to do instead. */
export const scriptReferenceMessage =
  'a value expression is not allowed in script text: put the value into `env` and read the environment variable in the script';

function parseReference(expression: string): Reference | string {
  const parameter = /^parameters\.([A-Za-z][A-Za-z0-9_-]*)$/.exec(expression);
  if (parameter !== null) return { kind: 'parameter', name: parameter[1]! };
  const known = referenceNames.find((name) => name === expression);
  if (known !== undefined) return { kind: known };
  if (expression === '') return `an empty expression; write one of ${referencesAllowed}`;
  const root = expression.split('.', 1)[0]!;
  const shown = expression.length > 60 ? `${expression.slice(0, 57)}...` : expression;
  if (laterRoots.has(root)) return `\`${shown}\` is not available yet in this version; available: ${referencesAllowed}`;
  return `\`${shown}\` is not a reference; available: ${referencesAllowed}`;
}
