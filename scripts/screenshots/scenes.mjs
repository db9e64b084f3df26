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
  { name: 'run-parts', path: (ids) => `/runs/${ids.trainingRunId}?task=extract` },
  { name: 'run-outputs', path: (ids) => `/runs/${ids.trainingRunId}?task=check&pane=outputs` },
  { name: 'run-approval', path: (ids) => `/runs/${ids.trainingRunId}?task=publish&pane=why` },
  { name: 'run-skipped', path: (ids) => `/runs/${ids.trainingRunId}?task=train-large&pane=why` },
  { name: 'run-wait-address', path: (ids) => `/runs/${ids.feedsRunId}?task=prices&pane=why` },
  { name: 'run-wait-time', path: (ids) => `/runs/${ids.feedsRunId}?task=market-close&pane=why` },
  { name: 'run-mark', path: (ids) => `/runs/${ids.feedsRunId}?task=prices`, act: decideEnd },
  { name: 'run-limit', path: (ids) => `/runs/${ids.renderRunId}?view=list` },
  { name: 'run-nested', path: (ids) => `/runs/${ids.weeklyRunId}?task=clean&pane=why` },
  { name: 'run-large', path: (ids) => `/runs/${ids.largeRunId}` },
  { name: 'workflows', route: 'workflows', path: () => '/workflows', docs: 'workflows' },
  { name: 'workflow-new', route: 'workflow-new', path: () => '/workflows/new' },
  { name: 'workflow', route: 'workflow', path: (ids) => `/workflows/${ids.etlWorkflowId}`, docs: 'workflow' },
  { name: 'workflow-runs', path: (ids) => `/workflows/${ids.etlWorkflowId}?tab=runs` },
  { name: 'workflow-schedules', path: (ids) => `/workflows/${ids.brokenWorkflowId}?tab=schedules` },
  { name: 'workflow-versions', path: (ids) => `/workflows/${ids.etlWorkflowId}?tab=versions` },
  { name: 'workflow-run-now', path: (ids) => `/workflows/${ids.etlWorkflowId}`, act: pressMainButton },
  { name: 'workflow-canvas', path: (ids) => `/workflows/${ids.trainingWorkflowId}?view=graph` },
  { name: 'workflow-task', path: (ids) => `/workflows/${ids.renderWorkflowId}?view=graph`, act: openFirstTask },
  { name: 'workflow-grid', path: (ids) => `/workflows/${ids.etlWorkflowId}?tab=grid` },
  { name: 'workflow-run-parameters', path: (ids) => `/workflows/${ids.trainingWorkflowId}`, act: pressMainButton },
  { name: 'workflow-dry-run', path: (ids) => `/workflows/${ids.trainingWorkflowId}`, act: askWhatWouldRun },
  { name: 'workflow-large', path: (ids) => `/workflows/${ids.largeWorkflowId}` },
  { name: 'schedules', route: 'schedules', path: () => '/schedules', docs: 'schedules' },
  { name: 'schedules-calendar', path: () => '/schedules?view=calendar', docs: 'schedules-calendar' },
  { name: 'schedule-new', route: 'schedule-new', path: (ids) => `/schedules/new?workflow=${ids.etlWorkflowId}`, docs: 'schedule' },
  { name: 'schedule', route: 'schedule', path: (ids) => `/schedules/${ids.brokenScheduleId}` },
  { name: 'schedule-sketch', path: () => '/schedules/new' },
  { name: 'schedule-quartz', path: (ids) => `/schedules/${ids['month-endScheduleId']}` },
  { name: 'schedule-rate', path: (ids) => `/schedules/${ids.oftenScheduleId}` },
  { name: 'schedule-delay', path: (ids) => `/schedules/${ids.afterScheduleId}` },
  { name: 'schedule-once', path: (ids) => `/schedules/${ids.onceScheduleId}` },
  { name: 'calendars', route: 'calendars', path: () => '/calendars' },
  { name: 'calendar', path: () => '/calendars', act: openFirstLink },
  { name: 'calendar-new', path: () => '/calendars', act: pressMainButton },
  { name: 'calendar-remove', path: () => '/calendars', act: askToRemove },
  { name: 'backfills', path: (ids) => `/schedules/${ids.morningScheduleId}?tab=backfills`, docs: 'backfill' },
  { name: 'backfill-new', path: (ids) => `/schedules/${ids.morningScheduleId}?tab=backfills`, act: openBackfill },
  { name: 'backfill-cancel', path: (ids) => `/schedules/${ids.morningScheduleId}?tab=backfills`, act: cancelBackfill },
  { name: 'webhook', path: (ids) => `/schedules/${ids.hookScheduleId}`, docs: 'webhook' },
  { name: 'variables', route: 'variables', path: () => '/variables', docs: 'variables' },
  { name: 'variable-new', path: () => '/variables', act: pressMainButton },
  { name: 'variable-remove', path: () => '/variables', act: askToRemove },
  { name: 'secrets', route: 'secrets', path: () => '/secrets', docs: 'secrets' },
  { name: 'secret-new', path: () => '/secrets', act: pressMainButton },
  { name: 'secret-remove', path: () => '/secrets', act: askToRemove },
  { name: 'nodes', route: 'nodes', path: () => '/nodes', docs: 'nodes' },
  { name: 'nodes-table', path: () => '/nodes?view=table' },
  { name: 'node', path: (ids) => `/nodes?node=${ids.strongNodeId}`, docs: 'node' },
  { name: 'nodes-join', path: () => '/nodes', act: makeJoinToken, docs: 'join' },
  { name: 'pools', route: 'pools', path: () => '/pools' },
  { name: 'pool-policy', path: (ids) => `/pools?edit=${ids.poolId}` },
  { name: 'limits', route: 'limits', path: () => '/limits', docs: 'limits' },
  { name: 'limit', path: (ids) => `/limits?limit=${ids.limitId}` },
  { name: 'limit-new', path: () => '/limits', act: pressMainButton },
  { name: 'quota', path: () => '/limits', act: setQuota },
  { name: 'placement', route: 'placement', path: () => '/placement', docs: 'placement' },
  { name: 'access', route: 'access', path: () => '/access', docs: 'access-users' },
  { name: 'access-groups', path: () => '/access/groups' },
  { name: 'access-members', path: () => '/access/members', docs: 'access-roles' },
  { name: 'access-user', path: (ids) => `/access/users?user=${ids.userId}` },
  { name: 'access-sessions', path: () => '/access/sessions' },
  { name: 'access-sign-in', path: () => '/access/sign-in' },
  { name: 'approvals', route: 'approvals', path: () => '/approvals', docs: 'approvals' },
  { name: 'approval', path: () => '/approvals', act: decide },
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
  await dialogOpens(page);
}

async function makeJoinToken(page) {
  await pressMainButton(page);
  await page.locator('[role="dialog"] .el-button--primary').click();
  await page.locator('[role="dialog"] code, [role="dialog"] pre, [role="dialog"] textarea').first().waitFor();
}

async function askWhatWouldRun(page) {
  await pressMainButton(page);
  await page.locator('.el-dialog__footer:visible .el-button:not(.el-button--primary)').last().click();
  await page.locator('[role="dialog"] .data-table:visible').first().waitFor();
}

async function openBackfill(page) {
  await page.locator('.list-filters .el-button--primary:visible').click();
  await dialogOpens(page);
}

async function cancelBackfill(page) {
  await page.locator('.data-table .el-button:visible').first().click();
  await dialogOpens(page);
}

async function openFirstLink(page) {
  await page.locator('.data-table .link-button').first().click();
  await dialogOpens(page);
}

async function askToRemove(page) {
  await page.locator('.data-table .el-dropdown .quiet-button').first().click();
  await page.locator('.el-dropdown-menu__item--divided + .el-dropdown-menu__item:visible, .el-dropdown-menu__item:visible').last().click();
  await dialogOpens(page);
}

async function setQuota(page) {
  await page.locator('main section .el-button:visible').last().click();
  await dialogOpens(page);
}

async function openFirstTask(page) {
  await page.locator('.vue-flow__node').first().click();
  await page.keyboard.press('Enter');
  await page.locator('.task-form').waitFor();
  await page.locator('.limits-input').scrollIntoViewIfNeeded();
}

async function decideEnd(page) {
  await page.locator('.task-actions .el-button').first().click();
  await dialogOpens(page);
}

async function decide(page) {
  await page.locator('main .el-button--primary').first().click();
  await dialogOpens(page);
}

/** Date pickers have dialogs as well, which are there and not seen. */
async function dialogOpens(page) {
  await page.locator('[role="dialog"]:visible').first().waitFor();
}
