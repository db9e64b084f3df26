export * from './phrase.js';
export { type PhraseCode, phraseTexts } from './texts/index.js';
