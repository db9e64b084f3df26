import { checkValue, type ParameterDeclaration, type ParameterDeclarations, type ParameterValue, type Phrase } from '@medley/core';

/** A parameter as the form shows it. `computed` is a default that only the server can fill in. */
export interface ParameterField {
  name: string;
  declaration: ParameterDeclaration;
  computed: string | null;
}

/** What stands in the form: lists as one text a line, everything else as its widget has it. Empty means "not given". */
export type FieldInput = string | number | boolean | null;

export function fieldsOf(declarations: ParameterDeclarations | undefined): ParameterField[] {
  return Object.entries(declarations ?? {}).map(([name, declaration]) => {
    const isComputed = typeof declaration.default === 'string' && declaration.default.includes('${{');
    return { name, declaration, computed: isComputed ? String(declaration.default) : null };
  });
}

export function initialInput({ declaration, computed }: ParameterField): FieldInput {
  const value = declaration.default;
  if (value === undefined || computed !== null) return declaration.type === 'boolean' ? false : null;
  return Array.isArray(value) ? value.join('\n') : value;
}

export type ReadField = { ok: true; value: ParameterValue | undefined } | { ok: false; expected: Phrase };

/** The value to send, or what was expected. An empty field of a parameter with a default leaves it to the default. */
export function readField({ declaration, computed }: ParameterField, input: FieldInput): ReadField {
  const isEmpty = input === null || input === '';
  const mayBeEmpty = computed !== null || declaration.default !== undefined || declaration.required === false;
  if (isEmpty && mayBeEmpty) return { ok: true, value: undefined };
  const value = declaration.type === 'list' ? listOf(declaration, String(input ?? '')) : input;
  const checked = checkValue(
    declaration,
    isEmpty && declaration.type !== 'list' && declaration.type !== 'string' ? undefined : (value ?? ''),
  );
  return checked.ok ? { ok: true, value: checked.value } : { ok: false, expected: checked.expected };
}

function listOf(declaration: ParameterDeclaration, text: string): (string | number | boolean)[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((line) => itemOf(declaration.items ?? 'string', line));
}

function itemOf(type: string, text: string): string | number | boolean {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (type !== 'number' && type !== 'integer') return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
