import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictRules, decideAdmission, type KeyedRun, planAdmissions } from './admission.js';

const aRun = (runId: string, changes: Partial<KeyedRun> = {}): KeyedRun => ({
  ...{ runId, limit: 1, onConflict: 'queue', isAdmitted: false, isCancelling: false },
  ...changes,
});

describe('keyed concurrency', () => {
  it('starts a run while there is room and nobody waits, else queues or skips it', () => {
    expect(decideAdmission({ limit: 2, onConflict: 'queue' }, { admitted: 1, waiting: 0 })).toBe('start');
    expect(decideAdmission({ limit: 2, onConflict: 'queue' }, { admitted: 1, waiting: 1 })).toBe('wait');
    expect(decideAdmission({ limit: 1, onConflict: 'skip' }, { admitted: 1, waiting: 0 })).toBe('skip');
    expect(decideAdmission({ limit: 1, onConflict: 'cancel-running' }, { admitted: 1, waiting: 0 })).toBe('wait');
  });

  it('cancels what a later run replaces, once, and waits for its end', () => {
    const runs = [aRun('1', { isAdmitted: true }), aRun('2'), aRun('3', { onConflict: 'cancel-running' })];
    expect(planAdmissions(runs)).toEqual({ admit: [], cancel: ['1', '2'] });
    expect(planAdmissions([aRun('1', { isAdmitted: true, isCancelling: true }), runs[2]!])).toEqual({ admit: [], cancel: [] });
    expect(planAdmissions([runs[2]!])).toEqual({ admit: ['3'], cancel: [] });
  });

  it('never admits beyond the limit, keeps the order, and lets every queued run start in the end', () => {
    const arrivals = fc.array(fc.record({ limit: fc.integer({ min: 1, max: 3 }), onConflict: fc.constantFrom(...conflictRules) }), {
      maxLength: 15,
    });
    fc.assert(
      fc.property(arrivals, fc.array(fc.nat(5), { maxLength: 30 }), (rules, ends) => {
        const open: KeyedRun[] = [];
        const started: number[] = [];
        const admit = () => {
          const { admit: ids, cancel } = planAdmissions(open);
          for (const id of cancel) {
            const run = open.find(({ runId }) => runId === id)!;
            if (run.isAdmitted) run.isCancelling = true;
            else open.splice(open.indexOf(run), 1);
          }
          for (const id of ids) {
            const run = open.find(({ runId }) => runId === id)!;
            run.isAdmitted = true;
            started.push(Number(id));
            expect(open.filter(({ isAdmitted }) => isAdmitted).length).toBeLessThanOrEqual(run.limit);
          }
        };
        const end = (which: number) => {
          const running = open.filter(({ isAdmitted }) => isAdmitted);
          if (running.length > 0) open.splice(open.indexOf(running[which % running.length]!), 1);
        };
        rules.forEach((rule, index) => {
          const admitted = open.filter(({ isAdmitted }) => isAdmitted).length;
          const decision = decideAdmission(rule, { admitted, waiting: open.length - admitted });
          if (decision !== 'skip') open.push(aRun(String(index), { ...rule, isAdmitted: decision === 'start' }));
          if (decision === 'start') started.push(index);
          admit();
          if (ends[index] !== undefined) end(ends[index]);
        });
        for (let round = 0; round < 40 && open.length > 0; round++) {
          admit();
          end(0);
        }
        expect(open).toEqual([]);
        expect(started).toEqual([...started].sort((left, right) => left - right));
      }),
    );
  });
});
