import { describe, expect, it } from 'vitest';
import { indexWorkflow } from '../settlement/workflow-specs.js';
import { type TaskFields, taskSpec, workflowSpec } from '../testing/workflow.fixture.js';
import { decideBegins, type KnownBefore } from './decide-begins.js';

const parameters = { count: 3, regions: ['north'] };

function begins(tasks: Record<string, TaskFields>, known: Partial<KnownBefore> = {}): Record<string, string> {
  const specs = Object.entries(tasks).map(([key, fields], position) => taskSpec(key, position, fields));
  const decided = decideBegins(indexWorkflow(workflowSpec(specs, 'dry')), {
    context: { parameters, schedule: null },
    variables: { mode: 'full' },
    ...known,
  });
  return Object.fromEntries(
    [...decided].map(([key, { begins: begin, reason }]) => [key, reason === null ? begin : `${begin}: ${reason.text}`]),
  );
}
const when = (text: string, fields: TaskFields = {}): TaskFields => ({ when: text, ...fields });

describe('when tasks would begin', () => {
  it('is decided by conditions over parameters and variables, and skipping spreads as in a run', () => {
    expect(
      begins({
        yes: when('parameters.count == 3'),
        no: when('variables.mode == "small"'),
        behind: { needs: ['no'] },
        instead: { needs: { no: 'skipped' } },
        both: { needs: { mode: 'any', conditions: { no: 'succeeded', yes: 'succeeded' } } },
      }),
    ).toEqual({
      yes: 'at-once',
      no: 'skipped: its condition does not hold: variables.mode == "small"',
      behind: 'skipped: no was skipped, needed: succeeded',
      instead: 'at-once',
      both: 'after-needs',
    });
  });

  it('depends on tasks whose ends and outputs a condition names, unless what is known decides it alone', () => {
    expect(
      begins({
        a: {},
        b: when('tasks.a.outputs.rows > 5 && tasks.a.state == "succeeded"', { needs: ['a'] }),
        c: when('parameters.count > 5 && tasks.a.outputs.rows > 5', { needs: ['a'] }),
        d: when('parameters.count == 3 || tasks.a.outputs.rows > 5', { needs: ['a'] }),
        e: when('has(tasks.a.outputs.rows)', { needs: ['a'] }),
        f: when('run.id == "x"'),
        g: { needs: ['b'] },
      }),
    ).toEqual({
      a: 'at-once',
      b: 'undecided: depends on a',
      c: 'skipped: its condition does not hold: parameters.count > 5 && tasks.a.outputs.rows > 5',
      d: 'after-needs',
      e: 'undecided: depends on a',
      f: 'undecided: depends on run.id',
      g: 'after-needs',
    });
  });

  it('knows of a skipped task that it was skipped', () => {
    const told = begins({ a: when('false'), b: when('tasks.a.state == "skipped"', { needs: { a: 'done' } }) });
    expect(told.b).toBe('at-once');
  });

  const branches: Record<string, TaskFields> = {
    north: { needs: ['pick'], branch: { of: 'pick', cases: ['north'] } },
    other: { needs: ['pick'], branch: { of: 'pick', cases: [''] } },
  };
  const pick = (on: string, fields: TaskFields = {}): TaskFields => ({
    kind: 'switch',
    script: null,
    switch: { on, cases: ['north'] },
    ...fields,
  });

  it('follows the case of a switch where its value is known', () => {
    expect(begins({ pick: pick('parameters.regions[0]'), ...branches })).toEqual({
      pick: 'at-once: Its value is "north".',
      north: 'after-needs',
      other: 'skipped: pick chose north',
    });
    expect(begins({ pick: pick('"south"'), ...branches })).toMatchObject({
      north: 'skipped: pick chose none of its cases',
      other: 'after-needs',
    });
  });

  it('leaves the cases of a switch open whose value comes from a task', () => {
    expect(begins({ a: {}, pick: pick('tasks.a.outputs.where', { needs: ['a'] }), ...branches })).toEqual({
      a: 'at-once',
      pick: 'after-needs: depends on a',
      north: 'undecided: depends on pick',
      other: 'undecided: depends on pick',
    });
  });

  it('tells where a condition would fail its task, with what follows', () => {
    const told = begins({ a: when('schedule.date == "2026-01-01"'), b: when('"yes"'), c: { needs: ['a'] }, d: { needs: { a: 'failed' } } });
    expect(told.a).toContain('fails: ');
    expect(told.b).toContain('fails: ');
    expect(told).toMatchObject({ c: 'skipped: a failed, needed: succeeded', d: 'at-once' });
  });

  it('knows the schedule of a run that has one', () => {
    const schedule = { fireTime: '2026-01-01T00:00:00.000Z', date: '2026-01-01', zone: 'UTC' };
    expect(begins({ a: when('schedule.date == "2026-01-01"') }, { context: { parameters, schedule } })).toEqual({ a: 'at-once' });
  });

  it('tells nothing of variables to those who may not read them', () => {
    expect(begins({ a: when('variables.mode == "full"'), b: when('has(variables.mode)') }, { variables: null })).toEqual({
      a: 'undecided: depends on variables.mode',
      b: 'undecided: depends on variables.mode',
    });
  });

  it('is after all others for final tasks, unless their condition decides otherwise', () => {
    expect(begins({ a: {}, tidy: { isFinal: true }, never: { isFinal: true, when: 'false' } })).toMatchObject({
      tidy: 'finally',
      never: 'skipped: its condition does not hold: false',
    });
  });
});
