import { i18n } from '../i18n/i18n.js';

/** What the editor itself says, as its library writes it, with the key of our text. A test compares this with the library. */
export const editorPhraseKeys = {
  Find: 'editorPhrase.find',
  Replace: 'editorPhrase.replaceWith',
  next: 'editorPhrase.next',
  previous: 'editorPhrase.previous',
  all: 'editorPhrase.all',
  'match case': 'editorPhrase.matchCase',
  regexp: 'editorPhrase.regexp',
  'by word': 'editorPhrase.byWord',
  replace: 'editorPhrase.replace',
  'replace all': 'editorPhrase.replaceAll',
  close: 'editorPhrase.close',
  'current match': 'editorPhrase.currentMatch',
  'replaced $ matches': 'editorPhrase.replacedMatches',
  'replaced match on line $': 'editorPhrase.replacedOnLine',
  'on line': 'editorPhrase.onLine',
  'Go to line': 'editorPhrase.goToLine',
  go: 'editorPhrase.go',
  'folded code': 'editorPhrase.foldedCode',
  unfold: 'editorPhrase.unfold',
  to: 'editorPhrase.to',
  'Fold line': 'editorPhrase.foldLine',
  'Unfold line': 'editorPhrase.unfoldLine',
  'Folded lines': 'editorPhrase.foldedLines',
  'Unfolded lines': 'editorPhrase.unfoldedLines',
  Diagnostics: 'editorPhrase.diagnostics',
  'No diagnostics': 'editorPhrase.noDiagnostics',
  'Control character': 'editorPhrase.controlCharacter',
  Completions: 'editorPhrase.completions',
  'Selection deleted': 'editorPhrase.selectionDeleted',
} as const;

/** For `EditorState.phrases`, in the reader's language. */
export function editorPhrases(): Record<string, string> {
  return Object.fromEntries(Object.entries(editorPhraseKeys).map(([phrase, key]) => [phrase, i18n.global.t(key)]));
}
