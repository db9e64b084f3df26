import { basename } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, most of it waiting: started last, one of them would run on alone when all others are done. */
const longest = ['npm-start', 'postgres-stopped', 'every-page', 'random-kills', 'server-frozen', 'redis-frozen'].map(
  (name) => `${name}.e2e.spec.ts`,
);

/** Starts the longest files first; vitest's own order needs the times of an earlier run, which a fresh machine has not. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((left, right) => rank(left) - rank(right));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = longest.indexOf(basename(moduleId));
  return at < 0 ? longest.length : at;
}
