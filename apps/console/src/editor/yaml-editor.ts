import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory, redo, undo } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { FieldError } from '@medley/core';
import { expectedText, faultText } from '../i18n/phrases.js';
import { editorPhrases } from './editor-phrases.js';
import { completeWorkflow } from './yaml-completion.js';
import type { TextChange } from './yaml-edit.js';

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-key)', fontWeight: '500' },
  { tag: [tags.string, tags.content, tags.special(tags.string)], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.keyword], color: 'var(--code-number)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--code-comment)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace, tags.meta], color: 'var(--code-punctuation)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface)', color: 'var(--text)', fontSize: 'var(--text-m)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--log-gutter)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--code-active-line)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--code-selection) !important' },
  '.cm-tooltip': { backgroundColor: 'var(--surface-raised)', border: '1px solid var(--line)', borderRadius: '6px', color: 'var(--text)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-panels': { backgroundColor: 'var(--surface-sunken)', color: 'var(--text)' },
  '.cm-diagnostic': { fontFamily: 'var(--font-text)', fontSize: 'var(--text-s)' },
});

const phrases = new Compartment();

export interface YamlEditorOptions {
  parent: HTMLElement;
  text: string;
  label: string;
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

/** A YAML editor with completion, folding, search and marks for faults. */
export function createYamlEditor({ parent, text, label, isReadOnly, onChange }: YamlEditorOptions): EditorView {
  const reading: Extension = [EditorState.readOnly.of(isReadOnly), EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' })];
  const changes = EditorView.updateListener.of((update) => {
    if (update.docChanged) onChange(update.state.doc.toString());
  });
  const extensions = [
    ...[
      lineNumbers(),
      foldGutter(),
      lintGutter(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      drawSelection(),
    ],
    ...[history(), indentOnInput(), bracketMatching(), closeBrackets(), search({ top: true }), highlightSelectionMatches()],
    autocompletion({ override: [completeWorkflow] }),
    indentUnit.of('  '),
    yaml(),
    syntaxHighlighting(highlight),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    look,
    phrases.of(EditorState.phrases.of(editorPhrases())),
    reading,
    changes,
  ];
  return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
}

/** Says the editor's own texts in the language that is chosen now. */
export function showPhrases(view: EditorView): void {
  view.dispatch({ effects: phrases.reconfigure(EditorState.phrases.of(editorPhrases())) });
}

/** Marks faults at their places in the text. */
export function showFaults(view: EditorView, faults: readonly FieldError[]): void {
  const diagnostics = faults.map((fault): Diagnostic => {
    const line = view.state.doc.line(Math.min(Math.max(1, fault.line ?? 1), view.state.doc.lines));
    const from = Math.min(line.to, line.from + Math.max(0, (fault.column ?? 1) - 1));
    const word = /^[^\s:,\]}]+/.exec(line.text.slice(from - line.from))?.[0].length ?? 0;
    const to = Math.max(from, Math.min(line.to, from + Math.max(1, word)));
    const expected = expectedText(fault);
    const message = expected === undefined ? faultText(fault) : `${faultText(fault)}\n→ ${expected}`;
    return { from, to, severity: 'error', message };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

/** Puts the cursor at a place of the text and brings it into sight. */
export function goTo(view: EditorView, lineNumber: number, column = 1, takesFocus = true): void {
  const line = view.state.doc.line(Math.min(Math.max(1, lineNumber), view.state.doc.lines));
  const anchor = Math.min(line.to, line.from + column - 1);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  if (takesFocus) view.focus();
}

/** A change that was made elsewhere, as one step of the editor's own history. */
export function applyEdit(view: EditorView, change: TextChange): void {
  view.dispatch({
    changes: change,
    annotations: isolateHistory.of('full'),
    effects: EditorView.scrollIntoView(change.from, { y: 'nearest' }),
  });
}

export function stepBack(view: EditorView): boolean {
  return undo(view);
}

export function stepForward(view: EditorView): boolean {
  return redo(view);
}
