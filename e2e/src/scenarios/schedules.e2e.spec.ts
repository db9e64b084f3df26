import type { NextFires, Page, RunListItem, ScheduleView } from '@medley/contracts';
import { Stack, untilNodes, waitFor } from '@medley/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ redis: false });
  await stack.addAgent({ name: 'only', declaredSpeed: 1 });
  await untilNodes(stack.databaseUrl, ['only']);
});

afterAll(() => stack?.stop());

async function applyEverySecond(workflow: string, enabled = true): Promise<ScheduleView> {
  const schedules = { tick: { cron: '* * * * * *', zone: 'Asia/Shanghai', enabled } };
  const tasks = { only: { run: 'echo "$AT"', env: { AT: `\${{ schedule.fireTime }}` }, resources: { cpu: 0.01 } } };
  const { workflowId } = await stack.admin.apply(JSON.stringify({ medley: 1, project: 'default', workflow, schedules, tasks }));
  const { items } = await stack.admin.get<Page<ScheduleView>>(`/schedules?workflowId=${workflowId}`);
  return items[0]!;
}

const runsOf = async (schedule: ScheduleView) =>
  (await stack.admin.get<Page<RunListItem>>(`/runs?scheduleId=${schedule.id}&limit=200`)).items.toReversed();

describe('a cron schedule of every second', () => {
  it('previews what it then fires: one run for each second, none twice, none left out', async () => {
    const schedule = await applyEverySecond('every-second');
    const preview = await stack.admin.get<NextFires>(`/schedules/${schedule.id}/next-fires?count=5`);
    expect(preview.items.map(({ local }) => local.includes('+08:00'))).toEqual(Array(5).fill(true));
    const last = preview.items.at(-1)!.at;
    await waitFor(async () => (await runsOf(schedule)).some((run) => run.fireAt! >= last && run.state === 'succeeded'));
    await stack.admin.patch(`/schedules/${schedule.id}`, { enabled: false });

    const runs = await runsOf(schedule);
    const times = runs.map((run) => Date.parse(run.fireAt!));
    expect(times).toEqual(times.map((_, index) => times[0]! + index * 1000));
    expect(runs.map((run) => run.fireAt)).toEqual(expect.arrayContaining(preview.items.map(({ at }) => at)));
    expect(runs.filter((run) => Date.parse(run.createdAt) < Date.parse(run.fireAt!))).toEqual([]);
    expect(new Set(runs.map((run) => run.trigger))).toEqual(new Set(['schedule']));
  });

  it('fires nothing while it is disabled, and enabling it again makes up for nothing', async () => {
    const schedule = await applyEverySecond('paused', false);
    expect([schedule.enabled, schedule.nextFireAt, schedule.nextFires]).toEqual([false, null, []]);
    // Another schedule shows that seconds pass and the pass that fires is at work.
    const clock = await applyEverySecond('clock');
    await waitFor(async () => (await runsOf(clock)).length >= 3);
    expect(await runsOf(schedule)).toEqual([]);

    const enabledAt = Date.now();
    await stack.admin.patch(`/schedules/${schedule.id}`, { enabled: true });
    await waitFor(async () => (await runsOf(schedule)).length >= 2);
    const [first] = await runsOf(schedule);
    expect(Date.parse(first!.fireAt!)).toBeGreaterThan(enabledAt - 100);
    for (const { id } of [schedule, clock]) await stack.admin.patch(`/schedules/${id}`, { enabled: false });
  });
});
