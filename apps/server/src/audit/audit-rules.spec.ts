import { JOIN_ACTION, type RestRoute, restRoutes } from '@medley/contracts';
import { describe, expect, it } from 'vitest';
import { actionOf, auditRuleOf, auditRules, unaudited } from './audit-rules.js';

const operations = Object.entries(restRoutes as Record<string, RestRoute>);

describe('every operation that sends something along', () => {
  const changing = operations.filter(([, { method }]) => method !== 'GET').map(([name]) => name);

  it('says what it changes and how that is read, or why it is not recorded', () => {
    expect(changing.length).toBeGreaterThan(30);
    const undeclared = changing.filter((name) => !Object.hasOwn(auditRules, name) && !Object.hasOwn(unaudited, name));
    expect(undeclared).toEqual([]);
  });

  it('says it once, and nothing is said of operations that there are not', () => {
    const declared = [...Object.keys(auditRules), ...Object.keys(unaudited)];
    expect(new Set(declared).size).toBe(declared.length);
    expect(declared.filter((name) => name !== JOIN_ACTION && !changing.includes(name))).toEqual([]);
  });

  it('tells by a reading or by its answer what there is afterwards', () => {
    const silent = Object.entries(auditRules).filter(([, { read, tell }]) => !read && !tell);
    expect(silent.map(([name]) => name)).toEqual([]);
  });

  it('is recorded as it was called when it is declared nowhere', () => {
    expect(auditRuleOf('someNewOperation')).toEqual({ entity: 'other' });
    expect(auditRuleOf('listRuns')).toBeNull();
    expect(auditRuleOf('login')).toBeNull();
  });
});

describe('the action of a call', () => {
  const called = (method: string, url: string) => actionOf({ method, routeOptions: { url } } as Parameters<typeof actionOf>[0]);

  it('is the name of its operation, or the join of an agent', () => {
    expect(called('POST', '/api/v1/workflows/:id/runs')).toBe('startRun');
    expect(called('POST', '/agent/v1/join')).toBe(JOIN_ACTION);
    expect(called('POST', '/agent/v1/reports')).toBeNull();
  });
});
