import type { Page } from 'playwright-core';

/** What opens over a page: the page it opens on, which may do it by itself, and the buttons that lead to it. */
export interface Opening {
  at: string;
  press?: (string | RegExp)[];
  keys?: string;
}

/** Every dialog, drawer, menu and overlay, by a name of its own. Ids are those of things that the test has made. */
export function openingsOf(ids: Record<string, string>): Record<string, Opening> {
  return {
    palette: { at: '/', keys: 'Control+K' },
    'keys of the keyboard': { at: '/', keys: '?' },
    'cancel or rerun many': { at: '/runs', press: ['Many at once ▾', 'Rerun all tasks…'] },
    'saved views': { at: '/runs', press: ['Saved views'] },
    'choice of columns': { at: '/runs', press: ['Columns'] },
    rerun: { at: `/runs/${ids.runId}`, press: ['Rerun failed'] },
    'a dry run': { at: `/workflows/${ids.workflowId}`, press: ['Run now', 'What would run'] },
    'run now': { at: `/workflows/${ids.workflowId}`, press: ['Run now'] },
    'a cell of the grid': { at: `/workflows/${ids.workflowId}?tab=grid&cell=${ids.runId}%20a` },
    'a new backfill': { at: `/schedules/${ids.scheduleId}?tab=backfills`, press: ['New backfill'] },
    'publish a schedule': { at: `/schedules/${ids.scheduleId}`, press: ['Delete schedule'] },
    'a node': { at: `/nodes?node=${ids.nodeId}` },
    'out of service': { at: `/nodes?node=${ids.nodeId}`, press: ['Drain'] },
    'join a node': { at: '/nodes', press: ['Join a node'] },
    'change many nodes': { at: '/nodes', press: ['All of these …', 'Cordon all of these'] },
    'a new pool': { at: '/pools', press: ['New pool'] },
    'a policy': { at: `/pools?edit=${ids.poolId}` },
    'a new limit': { at: '/limits', press: ['Create a limit'] },
    'a limit’s change': { at: '/limits', press: ['Actions of licence', 'Change'] },
    'a quota': { at: '/limits', press: ['Set a quota'] },
    'a limit': { at: `/limits?limit=${ids.limitId}` },
    'a decision on an approval': { at: '/approvals', press: ['Approve'] },
    'a new variable': { at: '/variables', press: ['Set a variable'] },
    'a variable’s end': { at: '/variables', press: ['Actions for lake-url', 'Remove'] },
    'a variable’s change': { at: '/variables', press: ['Actions for lake-url', 'Edit'] },
    'a new secret': { at: '/secrets', press: ['Set a secret'] },
    'a secret’s change': { at: '/secrets', press: ['Actions for lake-token', 'Set anew'] },
    'a secret’s end': { at: '/secrets', press: ['Actions for lake-token', 'Remove'] },
    'a new calendar': { at: '/calendars', press: ['Make a calendar'] },
    'a calendar': { at: '/calendars', press: ['trading-days'] },
    'a calendar’s end': { at: '/calendars', press: ['Actions for trading-days', 'Remove'] },
    'an end that somebody decides': { at: `/runs/${ids.waitingRunId}?task=later&view=list`, press: ['Decide its end'] },
    'a backfill’s end': { at: `/schedules/${ids.pastId}?tab=backfills`, press: ['Cancel backfill'] },
    'why this node': { at: '/placement', press: ['Why'] },
    'a new project': { at: '/projects', press: ['New project'] },
    'a project’s end': { at: '/projects', press: ['Actions of project default', 'Remove'] },
    'a new user': { at: '/access/users', press: ['New user'] },
    'a user': { at: `/access/users?user=${ids.userId}` },
    'a new group': { at: '/access/groups', press: ['New group'] },
    'a group': { at: `/access/groups?group=${ids.groupId}` },
    'a role': { at: '/access/members', press: ['Give a role'] },
    'an event of the audit': { at: `/audit?event=${ids.eventId}` },
    'a new token': { at: '/tokens', press: ['New API token'] },
    'revoke a token': { at: '/tokens', press: ['Revoke'] },
  };
}

/** Opens it and waits until it stands. */
export async function open(page: Page, { at, press = [], keys }: Opening): Promise<void> {
  await page.goto(at);
  await page.locator('h1').first().waitFor();
  if (keys !== undefined) await page.keyboard.press(keys);
  for (const name of press) {
    const exact = typeof name === 'string';
    await page.getByRole('button', { name, exact }).or(page.getByRole('menuitem', { name, exact })).first().click();
  }
  await page.locator('[role="dialog"]:visible, dialog:visible, .el-popover:visible').first().waitFor();
}
