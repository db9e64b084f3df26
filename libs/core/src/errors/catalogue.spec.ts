import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AppError, type ErrorCode, errorCatalogue, errorCodes } from './index.js';

const page = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');

/** The text of all sources that may refuse something. */
function sources(): string {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const folders = ['apps/server/src', 'libs/core/src', 'libs/contracts/src', 'libs/database/src'];
  const files = folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${root}${folder}/${name}`),
  );
  const code = files.filter((file) => file.endsWith('.ts') && !/\.spec\.ts$|\/errors\/catalogue\.ts$/.test(file));
  return code.map((file) => readFileSync(file, 'utf8')).join('\n');
}

/** The table rows of docs/errors.md: | `code` | kind | meaning | remedy | */
const rows = page
  .split('\n')
  .map((line) => /^\| `([^`]+)` +\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, code, kind, meaning, remedy]) => ({
    code: code!,
    kind: kind!.trim(),
    meaning: meaning!.trim(),
    remedy: remedy!.trim(),
  }));

describe('the error catalogue', () => {
  it('is documented code by code, with none missing and none invented', () => {
    expect(rows.map((row) => row.code).sort()).toEqual([...errorCodes].sort());
  });

  it('has the documented kind for each code', () => {
    for (const row of rows) {
      expect(errorCatalogue[row.code as ErrorCode]?.kind, row.code).toBe(row.kind);
    }
  });

  it('documents a meaning and a remedy for each code', () => {
    for (const row of rows) {
      expect(row.meaning.length, row.code).toBeGreaterThan(15);
      expect(row.remedy.length, row.code).toBeGreaterThan(15);
    }
  });

  it('holds no code that nothing is ever refused with', () => {
    const text = sources();
    expect(errorCodes.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  });
});

describe('AppError', () => {
  it('carries its code, kind, title, detail, fields and cause', () => {
    const cause = new Error('socket closed');
    const fields = [{ path: 'tasks.a.timeout', message: 'has no unit', expected: '30s, 5m, 2h', line: 3, column: 9 }];
    const error = new AppError('workflow-invalid', 'Mend the listed fields and send the file again.', fields, { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'AppError', code: 'workflow-invalid', kind: 'invalid', fields, cause });
    expect(error.title).toBe(errorCatalogue['workflow-invalid'].title);
    expect(error.message).toContain('workflow-invalid');
  });
});
