import { type Expression, type ExpressionFault, parseExpression, type RootShapes, workflowRoots } from '../expressions/index.js';
import { phrase } from '../phrases/index.js';

export type TemplatePart = { text: string } | { expression: Expression; source: string; offset: number };

/** A fault in a template: the expression as written, what to write instead, and the character of the template where it is, from 0. */
export interface TemplateFault extends ExpressionFault {
  expression: string;
}

export type ParsedTemplate = { ok: true; parts: TemplatePart[] } | { ok: false; faults: TemplateFault[] };

const opening = '${{';
const closing = '}}';

/** Splits a text into plain parts and `${{ }}` expressions. `$${{` stands for a literal `${{`. */
export function parseTemplate(template: string, shapes: RootShapes = workflowRoots): ParsedTemplate {
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
    const end = closingOf(template, start + opening.length);
    if (end < 0) {
      const text = phrase('reference-unclosed', { opening, closing });
      return { ok: false, faults: [...faults, { expression: template.slice(start, start + 40), text, offset: start }] };
    }
    plain += template.slice(at, start);
    at = end + closing.length;
    const source = template.slice(start, at);
    const parsed = parseInside(template.slice(start + opening.length, end), shapes);
    if (!parsed.ok) {
      faults.push(...parsed.faults.map((fault) => ({ ...fault, expression: source, offset: start + opening.length + fault.offset })));
      continue;
    }
    if (plain !== '') parts.push({ text: plain });
    plain = '';
    parts.push({ expression: parsed.expression, source, offset: start });
  }
  plain += template.slice(at);
  if (plain !== '') parts.push({ text: plain });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, parts };
}

/** Spaces around an expression are none of it; they count in the places of its faults. */
function parseInside(inside: string, shapes: RootShapes) {
  const source = inside.trim();
  const parsed = parseExpression(source, shapes);
  if (parsed.ok) return parsed;
  const before = inside.indexOf(source);
  return { ok: false as const, faults: parsed.faults.map((fault) => ({ ...fault, offset: before + fault.offset })) };
}

const quotedOrBrace = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\{|\}\}?/g;

/** Where the expression ends: at the first `}}` that is neither in quotes nor closes a map; without such a one, at the first of all. */
function closingOf(template: string, start: number): number {
  const first = template.indexOf(closing, start);
  if (first < 0) return -1;
  let depth = 0;
  quotedOrBrace.lastIndex = start;
  for (let found = quotedOrBrace.exec(template); found !== null; found = quotedOrBrace.exec(template)) {
    if (found[0] === '{') depth++;
    else if (found[0].startsWith('}')) {
      if (depth === 0 && found[0] === closing) return found.index;
      depth = Math.max(0, depth - 1);
      quotedOrBrace.lastIndex = found.index + 1;
    }
  }
  return first;
}

/** Whether a text holds a value expression, so that it must not stand where values are refused. */
export function hasReference(text: string): boolean {
  return text.includes(opening);
}
