import { isMap, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import {
  applyChanges,
  contentEnd,
  editYaml,
  findPair,
  keyOf,
  parseForEdit,
  rangeOf,
  removeChange,
  type TextChange,
  withoutComma,
  type YamlEdit,
} from './yaml-edit.js';
import { renderFlow } from './yaml-render.js';

/** What a person does to the tasks of a workflow, as a change of its text. */
export type WorkflowEdit =
  /** `task` names the task that they are about: once it is gone nothing is written, so that no late edit brings a part of it back. */
  | { kind: 'yaml'; edits: readonly YamlEdit[]; task?: string }
  | { kind: 'add-task'; key: string; task: Record<string, unknown> }
  | { kind: 'remove-tasks'; keys: readonly string[] }
  | { kind: 'rename-task'; key: string; to: string }
  | { kind: 'connect'; from: string; to: string }
  | { kind: 'disconnect'; from: string; to: string };

/** The text after an edit; the same text when there is nothing to do. */
export function editWorkflow(text: string, edit: WorkflowEdit): string {
  switch (edit.kind) {
    case 'yaml':
      return edit.task === undefined || hasTask(text, edit.task) ? editYaml(text, edit.edits) : text;
    case 'add-task':
      return editYaml(text, [{ kind: 'set', path: ['tasks', edit.key], value: edit.task, inLines: true }]);
    case 'remove-tasks':
      return edit.keys.reduce(removeTask, text);
    case 'rename-task':
      return renameTask(text, edit.key, edit.to);
    case 'connect':
      return connect(text, edit.from, edit.to);
    case 'disconnect':
      return withRoot(text, (root) => needChanges(text, root, edit.from, (task) => task === edit.to, remover(text)));
  }
}

/** The maps of the file that hold tasks. */
const sections = ['tasks', 'finally'] as const;

function sectionOf(root: YAMLMap, key: string): (typeof sections)[number] {
  return sections.find((section) => findPair(root, [section, key]) !== null) ?? 'tasks';
}

const findTask = (root: YAMLMap, key: string) => findPair(root, [sectionOf(root, key), key]);

function hasTask(text: string, key: string): boolean {
  const root = parseForEdit(text);
  return root !== null && findTask(root, key) !== null;
}

function withRoot(text: string, change: (root: YAMLMap) => TextChange[]): string {
  const root = parseForEdit(text);
  return root === null ? text : applyChanges(text, change(root));
}

function removeTask(text: string, key: string): string {
  return withRoot(text, (root) => {
    const found = findTask(root, key);
    if (found === null) return [];
    const needs = needChanges(text, root, key, (task) => task !== key, remover(text));
    if (found.map.items.length > 1) return [removeChange(text, found.map, found.pair, true), ...needs];
    const [from] = rangeOf(found.pair.key);
    const lineStart = text.lastIndexOf('\n', from - 1);
    return [{ from: found.map.flow ? from : lineStart, to: contentEnd(text, found.pair.value), insert: found.map.flow ? '' : ' {}' }];
  });
}

function renameTask(text: string, key: string, to: string): string {
  return withRoot(text, (root) => {
    const found = findTask(root, key);
    if (found === null) return [];
    const [start, end] = rangeOf(found.pair.key);
    const rename = (from: number, until: number): TextChange => ({ from, to: until, insert: to });
    return [
      rename(start, end),
      ...needChanges(text, root, key, () => true, { whole: null, entry: (_, from, until) => rename(from, until), pair: rename }),
    ];
  });
}

function connect(text: string, from: string, to: string): string {
  const root = parseForEdit(text);
  const at = [root === null ? 'tasks' : sectionOf(root, to), to, 'needs'];
  const needs = root === null ? null : findPair(root, at);
  if (needs === null) return editYaml(text, [{ kind: 'set', path: at, value: [from], first: true }]);
  const { form, path } = formOf(needs.pair.value, at);
  if (isMap(form)) return editYaml(text, [{ kind: 'set', path: [...path, from], value: 'succeeded' }]);
  if (!isSeq(form)) return editYaml(text, [{ kind: 'set', path, value: [from] }]);
  const names = (form as YAMLSeq).toJSON() as string[];
  if (names.includes(from)) return text;
  const last = form.items.at(-1);
  if (last === undefined) return editYaml(text, [{ kind: 'set', path, value: [from] }]);
  const end = contentEnd(text, last);
  const dash = form.flow ? ', ' : `\n${' '.repeat(rangeOf(form)[0] - text.lastIndexOf('\n', rangeOf(form)[0] - 1) - 1)}- `;
  return applyChanges(text, [{ from: end, to: end, insert: `${dash}${renderFlow(from)}` }]);
}

/** A list or map of needs, either of which may stand under `any`. */
function formOf(value: unknown, path: readonly string[]): { form: unknown; path: string[] } {
  const any = isMap(value) ? value.items.find((pair) => keyOf(pair) === 'any') : undefined;
  const holds = any !== undefined && (isMap(any.value) || isSeq(any.value));
  return holds ? { form: any.value, path: [...path, 'any'] } : { form: value, path: [...path] };
}

interface NeedAction {
  /** For a task whose only need it is; null where that makes no difference. */
  whole: ((map: YAMLMap, pair: Pair) => TextChange) | null;
  entry: (list: YAMLSeq, from: number, to: number) => TextChange;
  pair: (from: number, to: number, map: YAMLMap, pair: Pair) => TextChange;
}

const remover = (text: string): NeedAction => ({
  whole: (map, pair) => removeChange(text, map, pair, false),
  entry: (list, from, to) => (list.flow ? withoutComma(text, from, to) : withoutLine(text, from, to)),
  pair: (_from, _to, map, pair) => removeChange(text, map, pair, false),
});

function withoutLine(text: string, from: number, to: number): TextChange {
  const end = text.indexOf('\n', to);
  return { from: text.lastIndexOf('\n', from - 1), to: end < 0 ? text.length : end, insert: '' };
}

/** One change for each task of some whose `needs` name a task. */
function needChanges(text: string, root: YAMLMap, key: string, of: (task: string) => boolean, action: NeedAction): TextChange[] {
  return sections.flatMap((section) => needChangesIn(text, findPair(root, [section])?.pair.value, key, of, action));
}

function needChangesIn(text: string, tasks: unknown, key: string, of: (task: string) => boolean, action: NeedAction): TextChange[] {
  if (!isMap(tasks)) return [];
  return tasks.items.flatMap((task): TextChange[] => {
    const needs = isMap(task.value) && of(keyOf(task) ?? '') ? task.value.items.find((pair) => keyOf(pair) === 'needs') : undefined;
    return needs === undefined ? [] : needChange(text, task.value as YAMLMap, needs, key, action);
  });
}

function needChange(text: string, task: YAMLMap, needs: Pair, key: string, action: NeedAction): TextChange[] {
  const { form } = formOf(needs.value, []);
  if (isSeq(form)) {
    const item = form.items.find((each) => (each as { value?: unknown }).value === key);
    if (item === undefined) return [];
    if (action.whole !== null && form.items.length === 1) return [action.whole(task, needs)];
    return [action.entry(form as YAMLSeq, rangeOf(item)[0], contentEnd(text, item))];
  }
  const pair = isMap(form) ? form.items.find((each) => keyOf(each) === key) : undefined;
  if (pair === undefined) return [];
  if (action.whole !== null && (form as YAMLMap).items.length === 1) return [action.whole(task, needs)];
  return [action.pair(...rangeOf(pair.key), form as YAMLMap, pair)];
}
