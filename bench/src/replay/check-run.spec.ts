import { describe, expect, it } from 'vitest';
import { findViolations, peakReserved } from './check-run.js';
import type { RunRecord } from './run-record.js';

const expected = [
  { key: 'a', seconds: 1, cores: 1, parents: [] },
  { key: 'b', seconds: 1, cores: 1, parents: ['a'] },
];

/** A faultless run of a → b on one node. */
function aRun(): RunRecord {
  const attempt = (id: string, key: string, from: number) => ({
    id,
    nodeId: 'n',
    state: 'succeeded',
    carrier: 'queue',
    dispatchedAtUs: from,
    claimedAtUs: from + 10,
    finishedAtUs: from + 100,
    stdout: `${key}\n`,
  });
  const reservation = (attemptId: string, from: number) => ({
    attemptId,
    nodeId: 'n',
    cpuMillis: 500,
    heldAtUs: from,
    releasedAtUs: from + 100,
  });
  return {
    state: 'succeeded',
    createdAtUs: 0,
    finishedAtUs: 300,
    tasks: [
      { key: 'a', state: 'succeeded', finishedAtUs: 101, attempts: [attempt('1', 'a', 0)] },
      { key: 'b', state: 'succeeded', finishedAtUs: 201, attempts: [attempt('2', 'b', 100)] },
    ],
    nodes: [{ id: 'n', name: 'node-1', speed: 1, cpuMillis: 500, usedCpuMillis: 0 }],
    reservations: [reservation('1', 0), reservation('2', 100)],
  };
}

function violationsAfter(change: (run: RunRecord) => void): string[] {
  const run = aRun();
  change(run);
  return findViolations(expected, run);
}

describe('the check of a replayed run', () => {
  it('finds nothing in a faultless run', () => {
    expect(findViolations(expected, aRun())).toEqual([]);
  });

  it.each<[string, (run: RunRecord) => void, string]>([
    ['a run that failed', (run) => Object.assign(run, { state: 'failed' }), 'the run ended as failed'],
    ['a task that is missing', (run) => run.tasks.pop(), 'b is missing from the run'],
    [
      'a second claimed attempt',
      (run) => run.tasks[0]!.attempts.push({ ...run.tasks[0]!.attempts[0]!, state: 'lost', stdout: '' }),
      'a was claimed 2 times',
    ],
    ['no succeeded attempt', (run) => Object.assign(run.tasks[0]!.attempts[0]!, { state: 'failed' }), 'a has 0 succeeded attempts'],
    [
      'a child claimed before its parent ended',
      (run) => Object.assign(run.tasks[1]!.attempts[0]!, { claimedAtUs: 100 }),
      'b started 1 µs before its parent a had ended',
    ],
    [
      'a task that printed twice',
      (run) => Object.assign(run.tasks[0]!.attempts[0]!, { stdout: 'a\na\n' }),
      'a printed "a\\na\\n" instead of its key once',
    ],
    [
      'a task that printed nothing',
      (run) => Object.assign(run.tasks[1]!.attempts[0]!, { stdout: '' }),
      'b printed "" instead of its key once',
    ],
    [
      'more reserved than there is',
      (run) => Object.assign(run.reservations[1]!, { heldAtUs: 99 }),
      'node-1 had 1000 of 500 CPU thousandths reserved at once',
    ],
    [
      'a reservation that is never released',
      (run) => Object.assign(run.reservations[1]!, { releasedAtUs: null }),
      'node-1 still holds the reservation of attempt 2',
    ],
    [
      'a counter that kept something',
      (run) => Object.assign(run.nodes[0]!, { usedCpuMillis: 500 }),
      'node-1 counts 500 CPU thousandths as used after the run',
    ],
  ])('finds %s', (_, change, violation) => {
    expect(violationsAfter(change)).toContain(violation);
  });

  it('takes the highest sum of reservations that overlap', () => {
    const held = (heldAtUs: number, releasedAtUs: number, cpuMillis: number) => ({
      attemptId: '',
      nodeId: '',
      heldAtUs,
      releasedAtUs,
      cpuMillis,
    });
    expect(peakReserved([held(0, 10, 100), held(5, 15, 200), held(10, 20, 400)])).toBe(600);
    expect(peakReserved([])).toBe(0);
  });
});
