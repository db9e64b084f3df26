import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, tool } from '../repository/paths.mjs';
import { runNode } from '../repository/run.mjs';
import { readReport } from './reports.mjs';

const consoleFolder = join(root, 'apps/console');

/**
 * The test projects in the order in which they run: the quick ones first, and one after the other, because the timing of the last must not
 * suffer from the load of the others.
 */
export function testProjects() {
  const vitest = tool('vitest/vitest.mjs');
  const own = ['unit', 'integration', 'e2e'].map((name) => ({ name, cwd: root, argv: [vitest, 'run', '--project', name] }));
  if (!existsSync(join(consoleFolder, 'vitest.config.ts'))) return own;
  const console = { name: 'console', cwd: consoleFolder, argv: [vitest, 'run'] };
  return [own[0], console, ...own.slice(1)];
}

/** Runs one project; `filter` are arguments for vitest, with which a project may have nothing to run. */
export async function runProject({ name, cwd, argv }, filter) {
  const report = join(root, '.medley/test-report', `${name}.json`);
  rmSync(report, { force: true });
  const output = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const nothingToRun = filter.length > 0 ? ['--passWithNoTests'] : [];
  const code = await runNode([...argv, ...output, ...nothingToRun, ...filter], { cwd });
  const result = readReport(report);
  // An error outside of any test, such as an unhandled rejection, is in the exit code only.
  if (code !== 0 && result.failed === 0)
    return { ...result, failed: 1, faults: [`failed: project ${name}: the runner ended with code ${code}`] };
  return result;
}
