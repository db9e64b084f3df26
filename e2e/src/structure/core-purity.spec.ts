import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sourceFiles } from './imports.js';

const core = fileURLToPath(new URL('../../../libs/core/src', import.meta.url));
const impure = new Set(['process', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'fetch', 'console', 'crypto', 'globalThis']);

/** Uses of a clock, a random source, the environment or I/O: a decision gets all of these as arguments. */
function impurities(name: string, text: string): string[] {
  const found: string[] = [];
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (isImpure(node)) found.push(`${name}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isImpure(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return ['Date.now', 'Math.random'].includes(node.getText());
  if (ts.isNewExpression(node)) return node.expression.getText() === 'Date' && (node.arguments ?? []).length === 0;
  if (ts.isIdentifier(node)) return impure.has(node.text) && isReference(node);
  return ts.isAwaitExpression(node);
}

/** False for names of properties, parameters and the like, which only look like a global. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return ts.isCallExpression(parent) && parent.expression === node;
}

describe('core', () => {
  it('has no clock, random source, environment or I/O of its own, and decides synchronously', () => {
    const files = sourceFiles(core).filter((path) => !path.endsWith('.spec.ts'));
    expect(files.length).toBeGreaterThan(10);
    expect(files.flatMap((path) => impurities(relative(core, path), readFileSync(path, 'utf8')))).toEqual([]);
  });

  it.each(['Date.now()', 'new Date()', 'Math.random()', 'process.env.HOME', 'await wait()', 'fetch("x")'])(
    'would be caught using %s',
    (expression) => {
      expect(impurities('file.ts', `export const f = async () => ${expression};`)).toHaveLength(1);
    },
  );

  it.each(['new Date(now)', 'options.process.id', '({ fetch: now })'])('may use %s', (expression) => {
    expect(impurities('file.ts', `export const f = (options: Options, now: number) => ${expression};`)).toEqual([]);
  });
});
