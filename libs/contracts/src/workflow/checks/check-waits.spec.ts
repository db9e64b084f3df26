import { describe, expect, it } from 'vitest';
import { parseWorkflowJson } from '../index.js';

const parse = (task: object) => parseWorkflowJson({ medley: 1, project: 'p', workflow: 'w', tasks: { a: task } });
const wait = (fields: object) => ({ kind: 'wait-for', ...fields });
const faultsOf = (task: object) => {
  const parsed = parse(task);
  return parsed.ok ? [] : parsed.errors.map(({ path, message }) => [path, message]);
};
const url = 'https://lake.example/';

describe('a wait in the workflow file', () => {
  it.each([
    [{ until: '2026-03-01T07:00:00+08:00' }, { kind: 'time', until: '2026-03-01T07:00:00+08:00', forSeconds: null }],
    [{ for: '1h30m' }, { kind: 'time', until: null, forSeconds: 5400 }],
    [
      { http: { url, expectStatus: 200 }, every: '5s' },
      { kind: 'http', method: 'GET', url, headers: {}, expectStatus: [200], everySeconds: 5 },
    ],
    [{ file: { path: '/in/x', node: 'edge-1' } }, { kind: 'file', path: '/in/x', node: 'edge-1', everySeconds: 30 }],
    [
      { file: { path: 'C:\\in\\x' }, labels: 'os = windows', pool: 'edge', every: '5s' },
      { kind: 'file', node: null, everySeconds: 5 },
    ],
  ])('has every default filled in: %j', (fields, waitFor) => {
    const parsed = parse(wait({ ...fields, deadline: '6h' }));
    expect(parsed.ok && parsed.normalised.tasks[0]).toMatchObject({ waitFor, deadlineSeconds: 21_600, resources: { cpuMillis: 0 } });
  });

  it.each([
    [wait({}), 'tasks.a'],
    [wait({ for: '1m', until: '2026-03-01T07:00:00Z' }), 'tasks.a'],
    [wait({ until: '07:00' }), 'tasks.a.until'],
    [wait({ until: `\${{ parameters.nothing }}` }), 'tasks.a.until'],
    [wait({ for: '1' }), 'tasks.a.for'],
    [wait({ for: '1m', every: '30s' }), 'tasks.a.every'],
    [wait({ http: { url }, every: '10ms' }), 'tasks.a.every'],
    [wait({ http: { url: 'lake' } }), 'tasks.a.http.url'],
    [wait({ http: { url: `https://lake/\${{ parameters.nothing }}` } }), 'tasks.a.http.url'],
    [wait({ http: { url, method: 'POST' } }), 'tasks.a.http.method'],
    [wait({ http: { url, headers: { x: `\${{ nothing }}` } } }), 'tasks.a.http.headers.x'],
    [wait({ http: { url, metod: 'GET' } }), 'tasks.a.http.metod'],
    [wait({ file: { path: '/x' } }), 'tasks.a.file'],
    [wait({ file: { node: 'edge-1' } }), 'tasks.a.file.path'],
    [wait({ file: { path: 'x', node: 'edge-1' } }), 'tasks.a.file.path'],
    [wait({ file: { path: `/x-\${{ parameters.nothing }}`, node: 'edge-1' } }), 'tasks.a.file.path'],
    [wait({ file: { path: `/x-\${{ secrets.nothing }}`, node: 'edge-1' } }), 'tasks.a.file.path'],
    [wait({ file: { path: '/x', node: 'Edge 1' } }), 'tasks.a.file.node'],
    [wait({ file: { path: '/x', nod: 'edge-1' }, labels: 'a = b' }), 'tasks.a.file.nod'],
    [wait({ file: { path: '/x', node: 'edge-1' }, labels: 'a = b' }), 'tasks.a.labels'],
    [wait({ file: { path: '/x', node: 'edge-1' }, pool: 'edge' }), 'tasks.a.pool'],
    [wait({ file: { path: '/x', node: 'edge-1' }, http: { url } }), 'tasks.a'],
    [wait({ for: '1m', labels: 'a = b' }), 'tasks.a.labels'],
    [{ run: 'true', file: { path: '/x', node: 'edge-1' } }, 'tasks.a.file'],
    [wait({ for: '1m', resources: { cpu: 1 } }), 'tasks.a.resources'],
    [wait({ for: '1m', retry: { attempts: 2 } }), 'tasks.a.retry'],
    [wait({ for: '1m', map: { over: [1] } }), 'tasks.a.map'],
    [wait({ for: '1m', run: 'true' }), 'tasks.a.run'],
    [{ run: 'true', every: '30s' }, 'tasks.a.every'],
    [{ kind: 'http', url, http: { url } }, 'tasks.a.http'],
  ])('is refused where it stands: %j', (task, path) => {
    expect(faultsOf(task).map(([where]) => where)).toEqual([path]);
  });
});
