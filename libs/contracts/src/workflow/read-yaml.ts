import { type Phrase, type PhraseCode, phrase, phraseTexts } from '@medley/core';
import { LineCounter, type YAMLError } from 'yaml';
import type { PathSegment, WorkflowFault } from './fault.js';
import { composeYaml, YamlRefusal } from './yaml-composer.js';
import { locateInYaml, type TextPosition, YamlValueReader } from './yaml-values.js';

export const maxWorkflowBytes = 5 * 1024 ** 2;
const maxSyntaxFaults = 20;

export interface YamlDocument {
  value: unknown;
  faults: WorkflowFault[];
  locate: (path: readonly PathSegment[], atKey: boolean) => TextPosition | null;
}

/** A fault of the syntax, already located. */
export type SyntaxFault = { text: Phrase; expected?: Phrase } & Partial<TextPosition>;

/** Reads YAML 1.2 (so JSON too) as plain values. Faults of the syntax end the reading; it never throws for what a text may hold. */
export function readYaml(text: string): { ok: true; document: YamlDocument } | { ok: false; faults: SyntaxFault[] } {
  if (text.length > maxWorkflowBytes || new TextEncoder().encode(text).length > maxWorkflowBytes) {
    return { ok: false, faults: [{ text: phrase('file-too-large'), expected: phrase('file-size-limit') }] };
  }
  const lines = new LineCounter();
  try {
    const document = composeYaml(text, lines);
    const syntax = [...document.errors.slice(0, maxSyntaxFaults), ...document.warnings.slice(0, maxSyntaxFaults)];
    if (syntax.length > 0) {
      return { ok: false, faults: syntax.map((fault) => located(fault, lines)) };
    }
    const reader = new YamlValueReader();
    const value = reader.read(document.contents);
    const locate: YamlDocument['locate'] = (path, atKey) => locateInYaml(document, lines, path, atKey);
    return { ok: true, document: { value, faults: reader.faults, locate } };
  } catch (error) {
    if (error instanceof YamlRefusal) return { ok: false, faults: [{ text: error.text }] };
    throw error;
  }
}

function located({ code, pos }: YAMLError, lines: LineCounter): SyntaxFault {
  const { line, col } = lines.linePos(pos[0]);
  return { text: syntaxPhrase(code), line, column: col };
}

/** The library's own words are English only; its codes are stable. */
function syntaxPhrase(code: string): Phrase {
  const known = `yaml-${code.toLowerCase().replaceAll('_', '-')}`;
  return { code: Object.hasOwn(phraseTexts, known) ? (known as PhraseCode) : 'yaml-impossible' };
}
