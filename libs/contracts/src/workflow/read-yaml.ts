import { LineCounter } from 'yaml';
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
export type SyntaxFault = { message: string; expected?: string } & Partial<TextPosition>;

/** Reads YAML 1.2 (so JSON too) as plain values. Faults of the syntax end the reading; it never throws for what a text may hold. */
export function readYaml(text: string): { ok: true; document: YamlDocument } | { ok: false; faults: SyntaxFault[] } {
  if (text.length > maxWorkflowBytes || new TextEncoder().encode(text).length > maxWorkflowBytes) {
    return { ok: false, faults: [{ message: 'the file is larger than 5 MiB', expected: 'at most 5 MiB' }] };
  }
  const lines = new LineCounter();
  try {
    const document = composeYaml(text, lines);
    const syntax = [...document.errors.slice(0, maxSyntaxFaults), ...document.warnings.slice(0, maxSyntaxFaults)];
    if (syntax.length > 0) {
      const located = syntax.map(({ message, pos }) => ({ message, line: lines.linePos(pos[0]).line, column: lines.linePos(pos[0]).col }));
      return { ok: false, faults: located };
    }
    const reader = new YamlValueReader();
    const value = reader.read(document.contents);
    const locate: YamlDocument['locate'] = (path, atKey) => locateInYaml(document, lines, path, atKey);
    return { ok: true, document: { value, faults: reader.faults, locate } };
  } catch (error) {
    if (error instanceof YamlRefusal) return { ok: false, faults: [{ message: error.message }] };
    throw error;
  }
}
