import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { scriptsOf, sourceFiles } from './imports.js';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** What is shipped; the scripts and libs/testing start programs and hand them environments, which is their work. */
const shipped = [
  ...readdirSync(join(root, 'apps')).map((name) => `apps/${name}/src`),
  'libs/core/src',
  'libs/contracts/src',
  'libs/database/src',
  'migrations/src',
];

/** Each process has one place where its environment enters; from there on it is a typed configuration or an argument. */
const entrances = [
  'apps/agent/src/executors/run-masked.ts', // A program of its own between a command and its output: hands its environment to the command.
  'apps/agent/src/main.ts',
  'apps/server/src/main.ts',
];

/** Line numbers on which a text reaches for the environment of its process. */
function reads(text: string): number[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const lines: number[] = [];
  const visit = (node: ts.Node): void => {
    if (isRead(node)) lines.push(source.getLineAndCharacterOfPosition(node.getStart()).line + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

/** `process.env`, `process['env']`, `const { env } = process`, and the module that exports it. */
function isRead(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return isProcess(node.expression) && node.name.text === 'env';
  if (ts.isElementAccessExpression(node)) return isProcess(node.expression);
  if (ts.isVariableDeclaration(node)) return node.initializer !== undefined && isProcess(node.initializer);
  return ts.isImportDeclaration(node) && /^["'](node:)?process["']$/.test(node.moduleSpecifier.getText());
}

function isProcess(node: ts.Node): boolean {
  return /^(globalThis\.)?process$/.test(node.getText());
}

describe('the environment', () => {
  it('is read at the entrance of each process and nowhere else', () => {
    const files = shipped.flatMap((folder) => sourceFiles(join(root, folder)));
    expect(files.length).toBeGreaterThan(500);
    const readers = files
      .filter((path) => !/\.spec\.ts$/.test(path) && !path.includes(`${sep}testing${sep}`))
      .filter((path) => scriptsOf(path, readFileSync(path, 'utf8')).some((script) => reads(script).length > 0))
      .map((path) => relative(root, path).split(sep).join('/'));
    expect(readers.toSorted()).toEqual(entrances);
  });

  it.each(['process.env.HOME', '{ ...process.env }', "process['env']", 'globalThis.process.env'])('would be seen in %s', (expression) => {
    expect(reads(`export const f = () => (${expression});`)).toEqual([1]);
  });

  it.each(['const { env } = process;', "import { env } from 'node:process';", 'const own = process;'])(
    'would be seen in %s',
    (statement) => {
      expect(reads(statement)).toEqual([1]);
    },
  );

  it.each(['process.pid', 'options.process.env', 'facts.environment', 'import.meta.env.DEV'])('is not seen in %s', (expression) => {
    expect(reads(`export const f = (options: Options, facts: Facts) => ${expression};`)).toEqual([]);
  });
});
