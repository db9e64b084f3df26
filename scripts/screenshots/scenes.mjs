/**
 * Every screen worth a picture. `path` is its address with the ids that `fillProduct` tells; `act` opens what an address cannot; `visitor` is who
 * sees it where that is not the administrator; `docs` names the picture that the documentation shows. Nothing in here may depend on a language.
 */
export const scenes = [
  { name: 'login', route: 'login', path: () => '/login', visitor: 'nobody' },
  { name: 'password', route: 'password', path: () => '/password', visitor: 'newcomer' },
  { name: 'overview', route: 'overview', path: () => '/', docs: 'overview' },
  { name: 'palette', path: () => '/', act: openPalette, docs: 'palette' },
  { name: 'runs', route: 'runs', path: () => '/runs', docs: 'runs' },
  { name: 'runs-failed', path: () => '/runs?state=failed&period=week' },
  { name: 'runs-none', path: () => '/runs?state=cancelling' },
  { name: 'runs-grid', path: (ids) => `/runs?view=grid&workflow=${ids.etlWorkflowId}`, docs: 'runs-grid' },
  { name: 'run-graph', route: 'run', path: (ids) => `/runs/${ids.etlRunId}`, docs: 'run' },
  { name: 'run-list', path: (ids) => `/runs/${ids.etlRunId}?view=list` },
  { name: 'run-gantt', path: (ids) => `/runs/${ids.etlRunId}?view=gantt`, docs: 'run-gantt' },
  { name: 'run-history', path: (ids) => `/runs/${ids.etlRunId}?view=history` },
  { name: 'run-log', path: (ids) => `/runs/${ids.brokenRunId}?task=check`, docs: 'run-log' },
  { name: 'run-why-node', path: (ids) => `/runs/${ids.etlRunId}?task=join&pane=placement`, docs: 'why-this-node' },
  { name: 'run-live', path: (ids) => `/runs/${ids.longRunId}?task=copy` },
  { name: 'run-waiting', path: (ids) => `/runs/${ids.waitingRunId}?task=score&pane=why`, docs: 'why-it-waits' },
  { name: 'run-large', path: (ids) => `/runs/${ids.largeRunId}` },
  { name: 'workflows', route: 'workflows', path: () => '/workflows', docs: 'workflows' },
  { name: 'workflow-new', route: 'workflow-new', path: () => '/workflows/new' },
  { name: 'workflow', route: 'workflow', path: (ids) => `/workflows/${ids.etlWorkflowId}`, docs: 'workflow' },
  { name: 'workflow-runs', path: (ids) => `/workflows/${ids.etlWorkflowId}?tab=runs` },
  { name: 'workflow-schedules', path: (ids) => `/workflows/${ids.brokenWorkflowId}?tab=schedules` },
  { name: 'workflow-versions', path: (ids) => `/workflows/${ids.etlWorkflowId}?tab=versions` },
  { name: 'workflow-run-now', path: (ids) => `/workflows/${ids.etlWorkflowId}`, act: pressMainButton },
  { name: 'workflow-large', path: (ids) => `/workflows/${ids.largeWorkflowId}` },
  { name: 'schedules', route: 'schedules', path: () => '/schedules', docs: 'schedules' },
  { name: 'schedules-calendar', path: () => '/schedules?view=calendar', docs: 'schedules-calendar' },
  { name: 'schedule-new', route: 'schedule-new', path: (ids) => `/schedules/new?workflow=${ids.etlWorkflowId}`, docs: 'schedule' },
  { name: 'schedule', route: 'schedule', path: (ids) => `/schedules/${ids.brokenScheduleId}` },
  { name: 'nodes', route: 'nodes', path: () => '/nodes', docs: 'nodes' },
  { name: 'nodes-table', path: () => '/nodes?view=table' },
  { name: 'node', path: (ids) => `/nodes?node=${ids.strongNodeId}`, docs: 'node' },
  { name: 'nodes-join', path: () => '/nodes', act: makeJoinToken, docs: 'join' },
  { name: 'pools', route: 'pools', path: () => '/pools' },
  { name: 'pool-policy', path: (ids) => `/pools?edit=${ids.poolId}` },
  { name: 'limits', route: 'limits', path: () => '/limits' },
  { name: 'placement', route: 'placement', path: () => '/placement', docs: 'placement' },
  { name: 'access', route: 'access', path: () => '/access', docs: 'access-users' },
  { name: 'access-groups', path: () => '/access/groups' },
  { name: 'access-members', path: () => '/access/members', docs: 'access-roles' },
  { name: 'access-user', path: (ids) => `/access/users?user=${ids.userId}` },
  { name: 'access-sessions', path: () => '/access/sessions' },
  { name: 'access-sign-in', path: () => '/access/sign-in' },
  { name: 'approvals', route: 'approvals', path: () => '/approvals' },
  { name: 'projects', route: 'projects', path: () => '/projects', docs: 'projects' },
  { name: 'project-new', path: () => '/projects', act: pressMainButton },
  { name: 'audit', route: 'audit', path: () => '/audit', docs: 'audit' },
  { name: 'account', route: 'account', path: () => '/account' },
  { name: 'tokens', route: 'tokens', path: () => '/tokens' },
  { name: 'tokens-join', path: () => '/tokens?tab=join' },
  { name: 'keys', path: () => '/', act: (page) => page.keyboard.press('?') },
  { name: 'nowhere', route: 'nowhere', path: () => '/no/such/page' },
];

async function openPalette(page) {
  await page.keyboard.press('ControlOrMeta+K');
  await page.locator('dialog input, [role="dialog"] input').first().waitFor();
  await page.keyboard.type('orders');
  await page.locator('[role="option"]').first().waitFor();
}

async function pressMainButton(page) {
  await page.locator('.page-header .el-button--primary').first().click();
  await page.locator('[role="dialog"]').first().waitFor();
}

async function makeJoinToken(page) {
  await pressMainButton(page);
  await page.locator('[role="dialog"] .el-button--primary').click();
  await page.locator('[role="dialog"] code, [role="dialog"] pre, [role="dialog"] textarea').first().waitFor();
}
