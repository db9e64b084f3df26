import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Import, importsOf, relativeTarget, specifiersOf } from './imports.js';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** Which of our own libraries each workspace may import. What is not listed here may not exist. */
const allowed: Record<string, readonly string[]> = {
  'libs/core': [],
  'libs/contracts': ['core'],
  migrations: [],
  'libs/database': ['core', 'migrations'],
  'libs/testing': ['core', 'contracts', 'database', 'scripts/services'],
  'apps/agent': ['core', 'contracts'],
  'apps/console': ['core', 'contracts'],
  'apps/server': ['core', 'contracts', 'database'],
  e2e: ['core', 'contracts', 'database', 'testing'],
  bench: ['core', 'contracts', 'database', 'testing'],
};

/** Pure libraries that core stands on: cron rules, and the language of value expressions (docs/adr/0011-value-expressions.md). */
const coreLibraries: readonly string[] = ['croner', '@marcbachmann/cel-js'];

/** Tests are not part of what is shipped: they may use the testing library and test tools. */
function isTest({ file }: Import): boolean {
  return /\.spec\.ts$|\/testing\/|vitest\.config\.ts$/.test(file);
}

const workspaces = ['apps', 'libs']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
  .concat('migrations', 'e2e', 'bench')
  .filter((path) => existsSync(join(root, path, 'package.json')));

const imports = new Map(workspaces.map((workspace) => [workspace, importsOf(root, workspace)]));

function show(found: readonly Import[]): string[] {
  return found.map(({ file, specifier }) => `${file} imports ${specifier}`);
}

describe('import directions', () => {
  it('know every workspace', () => {
    expect(workspaces.toSorted()).toEqual(Object.keys(allowed).toSorted());
  });

  it.each(workspaces)('%s imports only the libraries that its place in the architecture allows', (workspace) => {
    const libraries = new Set((allowed[workspace] ?? []).map((name) => `@medley/${name}`));
    const wrong = imports.get(workspace)!.filter((found) => {
      const allowedForTest = found.specifier === '@medley/testing' && isTest(found);
      return found.specifier.startsWith('@medley/') && !libraries.has(found.specifier) && !allowedForTest;
    });
    expect(show(wrong)).toEqual([]);
  });

  it.each(workspaces)('%s leaves its own folder only through the index of a library', (workspace) => {
    const wrong = imports.get(workspace)!.filter((found) => relativeTarget(found, root) !== null);
    expect(show(wrong)).toEqual([]);
  });

  it('core imports a cron library, an expression library and nothing else', () => {
    const outside = imports.get('libs/core')!.filter((found) => !found.specifier.startsWith('.') && !isTest(found));
    expect(show(outside.filter(({ specifier }) => !coreLibraries.includes(specifier)))).toEqual([]);
  });

  it('are read from every kind of import and from the scripts of Vue files', () => {
    const text = `
      import a from 'static';
      import type { B } from 'type-only';
      export * from 'again';
      const c = await import('dynamic');
      type D = import('in-a-type').D;
      // import e from 'comment';
      const f = "import g from 'text'";`;
    expect(specifiersOf('file.ts', text)).toEqual(['static', 'type-only', 'again', 'dynamic', 'in-a-type']);
    expect(specifiersOf('file.vue', `<template>import x from 'no'</template><script setup lang="ts">${text}</script>`)).toHaveLength(5);
  });

  it('see a relative path that leaves its workspace', () => {
    const found = { file: 'libs/core/src/runs/states.ts', workspace: 'libs/core', specifier: '../../../database/src/index.js' };
    expect(relativeTarget(found, root)).toBe('libs/database/src/index.js');
    expect(relativeTarget({ ...found, specifier: '../dag/index.js' }, root)).toBeNull();
  });
});
