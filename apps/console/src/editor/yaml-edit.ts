import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { renderBlock, renderFlow } from './yaml-render.js';

/** One replacement in a text. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

export type YamlPath = readonly string[];

/** A change of the text's meaning. `set` makes the maps of its path that are missing; `first` puts a new key before its siblings, `inLines` a new map on lines of its own. */
export type YamlEdit =
  | { kind: 'set'; path: YamlPath; value: unknown; first?: boolean; inLines?: boolean }
  | { kind: 'remove'; path: YamlPath; withComment?: boolean }
  | { kind: 'rename'; path: YamlPath; key: string };

/**
 * Edits a YAML text where its meaning changes and nowhere else: comments, order, quoting and blank lines stay as they were written. The text must be free of
 * faults of syntax. What a path does not find is left alone, except by `set`.
 */
export function editYaml(text: string, edits: readonly YamlEdit[]): string {
  return edits.reduce((now, edit) => applyChanges(now, changesOf(now, edit)), text);
}

/** Applies changes that do not overlap. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const ordered = [...changes].sort((left, right) => left.from - right.from);
  let [result, at] = ['', 0];
  for (const { from, to, insert } of ordered) {
    result += text.slice(at, from) + insert;
    at = to;
  }
  return result + text.slice(at);
}

/** The one change that turns a text into another: what lies between their common beginning and end. */
export function changeBetween(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

export function parseForEdit(text: string): YAMLMap | null {
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, keepSourceTokens: false });
  return document.errors.length === 0 && isMap(document.contents) ? (document.contents as YAMLMap) : null;
}

function changesOf(text: string, edit: YamlEdit): TextChange[] {
  const root = parseForEdit(text);
  if (root === null) return [];
  if (edit.kind === 'set') return setChanges(text, root, edit);
  const found = findPair(root, edit.path);
  if (found === null) return [];
  if (edit.kind === 'remove') return [removeChange(text, found.map, found.pair, edit.withComment ?? false)];
  const [from, to] = rangeOf(found.pair.key);
  return [{ from, to, insert: edit.key }];
}

/** The pair at a path, with the map that holds it. */
export function findPair(root: YAMLMap, path: YamlPath): { map: YAMLMap; pair: Pair } | null {
  let map: unknown = root;
  for (const [depth, key] of path.entries()) {
    if (!isMap(map)) return null;
    const pair: Pair | undefined = map.items.find((each) => keyOf(each) === key);
    if (pair === undefined) return null;
    if (depth === path.length - 1) return { map: map as YAMLMap, pair };
    map = pair.value;
  }
  return null;
}

function setChanges(text: string, root: YAMLMap, edit: YamlEdit & { kind: 'set' }): TextChange[] {
  let map = root;
  for (const [depth, key] of edit.path.entries()) {
    const isLast = depth === edit.path.length - 1;
    const rest = edit.path.slice(depth + 1);
    const value = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), edit.value);
    const pair = map.items.find((each) => keyOf(each) === key);
    if (pair === undefined) return [insertChange(text, map, { key, value, first: edit.first ?? false, inLines: edit.inLines ?? false })];
    const inner = pair.value;
    const isEmptyFlow = isMap(inner) && inner.flow === true && inner.items.length === 0;
    if (isLast || !isMap(inner) || isEmptyFlow) return [replaceChange(text, map, pair, value, edit.inLines ?? false)];
    map = inner as YAMLMap;
  }
  return [];
}

function replaceChange(text: string, map: YAMLMap, pair: Pair, value: unknown, inLines: boolean): TextChange {
  const afterKey = text.indexOf(':', rangeOf(pair.key)[1]) + 1;
  const end = Math.max(afterKey, contentEnd(text, pair.value));
  if (map.flow) return { from: afterKey, to: end, insert: ` ${renderFlow(value)}` };
  const column = columnOf(text, rangeOf(pair.key)[0]);
  const rendered = renderBlock(value, column, indentOf(text), inLines);
  const comment = /^[ \t]+#[^\n]*/.exec(text.slice(end))?.[0];
  if (comment === undefined || !rendered.includes('\n')) return { from: afterKey, to: end, insert: rendered };
  const [head, ...body] = rendered.split('\n');
  return { from: afterKey, to: end + comment.length, insert: [`${head}${comment}`, ...body].join('\n') };
}

interface NewPair {
  key: string;
  value: unknown;
  first: boolean;
  inLines: boolean;
}

function insertChange(text: string, map: YAMLMap, { key, value, first, inLines }: NewPair): TextChange {
  if (map.flow) return insertIntoFlow(text, map, `${key}: ${renderFlow(value)}`);
  const [firstPair, last] = [map.items[0], map.items.at(-1)];
  if (firstPair === undefined || last === undefined) return { from: text.length, to: text.length, insert: '' };
  const keyStart = rangeOf(firstPair.key)[0];
  const column = columnOf(text, keyStart);
  const line = `${' '.repeat(column)}${key}:${renderBlock(value, column, indentOf(text), inLines)}`;
  const lineStart = keyStart - column;
  if (first && text.slice(lineStart, keyStart).trim() === '') return { from: lineStart, to: lineStart, insert: `${line}\n` };
  const at = endOfLine(text, endOfPair(text, last));
  const gap = isSpaced(text, map) ? '\n' : '';
  return { from: at, to: at, insert: `\n${gap}${line}` };
}

function insertIntoFlow(text: string, map: YAMLMap, entry: string): TextChange {
  const [from, to] = rangeOf(map);
  if (map.items.length === 0) return { from, to, insert: `{ ${entry} }` };
  const at = endOfPair(text, map.items.at(-1)!);
  return { from: at, to: at, insert: `, ${entry}` };
}

/** Whether the pairs of a map stand with blank lines between them, so that a new one gets its own. */
function isSpaced(text: string, map: YAMLMap): boolean {
  const [last, before] = [map.items.at(-1), map.items.at(-2)];
  if (last === undefined || before === undefined) return false;
  return /\n[ \t]*\n/.test(text.slice(endOfPair(text, before), rangeOf(last.key)[0]));
}

/** Takes a pair out with what belongs to it: its line's end, or its comma. `withComment` takes the lines of comment right above it as well. */
export function removeChange(text: string, map: YAMLMap, pair: Pair, withComment: boolean): TextChange {
  const start = rangeOf(pair.key)[0];
  const end = endOfPair(text, pair);
  if (map.flow) return withoutComma(text, start, end);
  const lineStart = start - columnOf(text, start);
  if (text.slice(lineStart, start).trim() !== '') return { from: start, to: end, insert: '' };
  const from = withComment ? startOfComment(text, lineStart) : lineStart;
  const to = Math.min(text.length, endOfLine(text, end) + 1);
  const isAfterGap = from === 0 || /\n[ \t]*\n$/.test(text.slice(0, from));
  const gapAfter = isAfterGap ? (/^([ \t]*\n)+/.exec(text.slice(to))?.[0].length ?? 0) : 0;
  return { from, to: to + gapAfter, insert: '' };
}

/** An entry of a flow collection with the comma that parts it from its neighbour. */
export function withoutComma(text: string, start: number, end: number): TextChange {
  const after = /^\s*,\s*/.exec(text.slice(end))?.[0];
  if (after !== undefined) return { from: start, to: end + after.length, insert: '' };
  const before = /,\s*$/.exec(text.slice(0, start))?.[0] ?? '';
  return { from: start - before.length, to: end, insert: '' };
}

function startOfComment(text: string, lineStart: number): number {
  let at = lineStart;
  while (at > 0) {
    const previous = text.lastIndexOf('\n', at - 2) + 1;
    if (!/^[ \t]*#/.test(text.slice(previous, at))) break;
    at = previous;
  }
  return at;
}

export function keyOf(pair: Pair): string | null {
  return isScalar(pair.key) ? String(pair.key.value) : null;
}

/** Where a node begins and its content ends. */
export function rangeOf(node: unknown): [number, number] {
  const range = (node as Node | null)?.range;
  return range ? [range[0], range[1]] : [0, 0];
}

function endOfPair(text: string, pair: Pair): number {
  const [, keyEnd] = rangeOf(pair.key);
  const colon = text.indexOf(':', keyEnd) + 1;
  return Math.max(colon === 0 ? keyEnd : colon, contentEnd(text, pair.value));
}

/** The end of the last thing that a node writes, without the blank lines and comments that the parser counts to it. */
export function contentEnd(text: string, node: unknown): number {
  if (isMap(node) && !node.flow && node.items.length > 0) return endOfPair(text, node.items.at(-1)!);
  if (isSeq(node) && !node.flow && node.items.length > 0) return contentEnd(text, (node as YAMLSeq).items.at(-1));
  const [from, to] = rangeOf(node);
  if (isScalar(node) && node.value === null && (node as Scalar).source === '') return from;
  return from + text.slice(from, to).trimEnd().length;
}

export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

/** The step by which the text indents; two where it does not tell. */
export function indentOf(text: string): number {
  const found = /^[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*( +)\S/m.exec(text);
  return found === null ? 2 : found[1]!.length;
}
