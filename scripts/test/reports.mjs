import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../repository/paths.mjs';

/**
 * Counts of one vitest JSON report. A file that could not be loaded counts as one failure, and so does each skipped or unfinished test:
 * a test that did not run proves nothing.
 */
export function readReport(path) {
  if (!existsSync(path)) return { passed: 0, failed: 1, faults: ['the test runner ended without a report'] };
  const { testResults } = JSON.parse(readFileSync(path, 'utf8'));
  const faults = testResults.flatMap(faultsOfFile);
  const passed = testResults.flatMap((file) => file.assertionResults).filter(({ status }) => status === 'passed').length;
  return { passed, failed: faults.length, faults };
}

function faultsOfFile({ name, status, message, assertionResults }) {
  const file = relative(root, name);
  const faults = assertionResults
    .filter((result) => result.status !== 'passed')
    .map((result) => `${result.status === 'failed' ? 'failed' : 'not run'}: ${file}: ${result.fullName}`);
  if (status === 'failed' && faults.length === 0) faults.push(`failed: ${file}: ${firstLine(message)}`);
  return faults;
}

function firstLine(text) {
  return (text ?? '').split('\n')[0];
}
