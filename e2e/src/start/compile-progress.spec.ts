import { describe, expect, it } from 'vitest';

type Progress = (line: string) => string | null;
const module = new URL('../../../scripts/build/compile-progress.mjs', import.meta.url).href;
const { compileProgress }: { compileProgress: (options: { root: string; projects: number }) => Progress } = await import(module);

const at = '[\u001b[90m2:27:43 AM\u001b[0m] ';

function shown(lines: readonly string[]): string[] {
  const progress = compileProgress({ root: '/srv/medley', projects: 3 });
  return lines.map(progress).filter((line) => line !== null);
}

describe('the progress of compiling', () => {
  it('is one line per project that is compiled, with how far it is', () => {
    const output = [
      `${at}Projects in this build: `,
      '    * libs/core/tsconfig.json',
      '    * apps/agent/tsconfig.json',
      '    * tsconfig.json',
      '',
      `${at}Project 'libs/core/tsconfig.json' is up to date because newest input is older than output`,
      '',
      `${at}Project 'apps/agent/tsconfig.json' is out of date because output file 'dist' does not exist`,
      '',
      `${at}Building project '/srv/medley/apps/agent/tsconfig.json'...`,
    ];
    expect(shown(output)).toEqual(['medley: compiling apps/agent (2 of 3)']);
  });

  it('is nothing when all is up to date, and keeps what the compiler complains of as it is', () => {
    expect(shown([`${at}Project 'libs/core/tsconfig.json' is up to date because newest input is older than output`])).toEqual([]);
    const complaint = [
      '\u001b[96mlibs/core/src/index.ts\u001b[0m:\u001b[93m1\u001b[0m - \u001b[91merror\u001b[0m TS2304: Cannot find name.',
      '1   x',
    ];
    expect(shown(complaint)).toEqual(complaint);
  });
});
