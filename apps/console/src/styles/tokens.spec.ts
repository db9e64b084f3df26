import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = join(import.meta.dirname, '..');
const colour = /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab|hwb|lab|lch)\(/i;

/** What of the look a style sheet writes itself instead of naming a token, with its line. */
function literalsIn(css: string): string[] {
  return [...css.matchAll(/(?<=[{;]\s*)([\w-]+)\s*:\s*([^;{}]+);/g)].flatMap(([, name = '', value = '']) => {
    const isSize = (name === 'font-size' || name === 'font') && /\d(?:px|pt|rem)\b/.test(value);
    const isShadow = /^(?:box-shadow|text-shadow)$/.test(name) && !/^var\(|^none$/.test(value);
    return isSize || isShadow || colour.test(value) || /shadow\(/.test(value) ? [`${name}: ${value}`] : [];
  });
}

const stylesOf = (component: string) => [...component.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(([, css]) => css!).join('\n');

/** Colours, shadows and font sizes written in the markup and the code of a component, or in a painter. */
function literalsInCode(code: string): string[] {
  const inStyles = [...code.matchAll(/\bstyle="([^"]*)"/g)].flatMap(([, style]) => literalsIn(`{${style};`));
  const words =
    code.match(/['"`](?:#[\da-f]{3,8}|(?:rgba?|hsla?)\(\s*\d[^'"`]*)['"`]|['"` ]\d+(?:\.\d+)?px \$\{|fontSize: ['"]?\d+/gi) ?? [];
  return [...inStyles, ...words];
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(source, file), 'utf8');
const faultsOf = (ending: string, look: (text: string) => string[]) =>
  files
    .filter((file) => file.endsWith(ending) && !file.endsWith('.spec.ts'))
    .flatMap((file) => look(read(file)).map((fault) => `${file}: ${fault}`));

describe('the look', () => {
  it('has no colour, shadow or font size of its own in a component', () => {
    expect(files.filter((file) => file.endsWith('.vue')).length).toBeGreaterThan(100);
    expect(
      faultsOf('.vue', (text) => [...literalsIn(stylesOf(text)), ...literalsInCode(text.replace(/<style[\s\S]*?<\/style>/g, ''))]),
    ).toEqual([]);
  });

  it('has none in what paints either', () => {
    expect(faultsOf('.ts', literalsInCode)).toEqual([]);
    expect(literalsIn(read('styles/base.css'))).toEqual([]);
  });

  it('is told apart from what a component may say', () => {
    expect(
      literalsIn('a { width: 12px; font: inherit; color: var(--text); box-shadow: var(--ring-inset) var(--accent); font-size: 0.9em; }'),
    ).toEqual([]);
    const css =
      'a { color: #fff; font-size: 11px; box-shadow: 0 1px 2px var(--line); background: rgb(0 0 0 / 4%); font: 400 12px var(--font-text); }';
    expect(literalsIn(css)).toHaveLength(5);
    expect(literalsInCode('<p style="font-size: 11px">')).toEqual(['font-size: 11px']);
    expect(literalsInCode("context.font = `12px ${font}`; context.fillStyle = '#abc'; look = { fontSize: 11 };")).toHaveLength(3);
  });
});
