import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './libs/testing/src/vitest/longest-first.js';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Libraries are tested from their sources, so that a test never runs against a stale build. */
const alias = {
  '@medley/core': source('libs/core/src/index.ts'),
  '@medley/contracts': source('libs/contracts/src/index.ts'),
  '@medley/database': source('libs/database/src/index.ts'),
  '@medley/migrations': source('migrations/src/index.ts'),
  '@medley/testing': source('libs/testing/src/index.ts'),
};

export default defineConfig({
  resolve: { alias },
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['{apps,libs,migrations,e2e,bench}/**/*.{spec,prop.spec}.ts'],
          exclude: ['**/dist/**', '**/node_modules/**', '**/*.int.spec.ts', '**/*.e2e.spec.ts', 'apps/console/**'],
          // Properties try many cases, and the machine may be busy.
          testTimeout: 30_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'integration',
          include: ['{apps,libs,migrations}/**/*.int.spec.ts'],
          globalSetup: ['libs/testing/src/vitest/global-setup.ts'],
          exclude: ['**/dist/**', '**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
          // Each file has a database of its own; what they share is loaded code, which takes a second or two to load anew.
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.spec.ts'],
          exclude: ['**/dist/**', '**/node_modules/**'],
          testTimeout: 300_000,
          hookTimeout: 180_000,
          maxWorkers: 3,
        },
      },
    ],
  },
});
