import type { TextTable } from './text-table.js';

/** What happened and what to do next: the details of refusals. */
export const refusalTexts = {
  'no-such-schedule': { en: 'There is no such schedule.', 'zh-CN': '没有这个调度。' },
  'cursor-of-other-list': {
    en: 'Use the nextCursor of an earlier page of the same list with the same filter, or leave cursor out to begin at the start.',
    'zh-CN': '请使用同一列表、同一筛选条件下前一页的 nextCursor，或不带 cursor 从头开始。',
  },
  'idempotency-key-of-other': {
    en: 'Use a new Idempotency-Key for a different request.',
    'zh-CN': '不同的请求请使用新的 Idempotency-Key。',
  },
  'cursor-altered': {
    en: 'Use the nextCursor of an earlier page, or leave cursor out to begin at the start.',
    'zh-CN': '请使用前一页的 nextCursor，或不带 cursor 从头开始。',
  },
  'no-such-project': { en: 'There is no such project.', 'zh-CN': '没有这个项目。' },
  'no-such-attempt': { en: 'There is no such attempt.', 'zh-CN': '没有这次尝试。' },
  'log-cursor-altered': {
    en: 'Use the "next" of an earlier page of this log, or leave "after" out to begin at the start.',
    'zh-CN': '请使用该日志前一页的 next，或不带 after 从头开始。',
  },
  'no-placement-decision': {
    en: 'There is no placement decision for this attempt (any more).',
    'zh-CN': '这次尝试没有（或不再有）放置决策。',
  },
  'no-such-node': { en: 'There is no such node.', 'zh-CN': '没有这个节点。' },
  'node-holds-attempts': {
    en: 'The node still holds attempts; drain it and wait until they have ended.',
    'zh-CN': '节点上仍有尝试；请排空并等待它们结束。',
  },
  'node-is-online': { en: 'The node is online; drain it first, or stop its agent.', 'zh-CN': '节点在线；请先排空，或停止其代理。' },
  'no-such-event': {
    en: 'There is no such event, or it is older than events are kept (MEDLEY_AUDIT_RETENTION_DAYS).',
    'zh-CN': '没有这个事件，或已超过保留期限（MEDLEY_AUDIT_RETENTION_DAYS）。',
  },
  'no-packed-agent': {
    en: 'This server has no packed agent. Build one with `npm run build` and name it in MEDLEY_AGENT_BUNDLE.',
    'zh-CN': '此服务端没有打包的代理。请用 `npm run build` 构建，并在 MEDLEY_AGENT_BUNDLE 中指明。',
  },
  'sign-in-anew': {
    en: 'Begin the sign-in anew; it has to end in the same browser within ten minutes.',
    'zh-CN': '请重新登录；须在十分钟内于同一浏览器中完成。',
  },
  'no-openid-provider': { en: 'This installation has no sign-in through an OpenID provider.', 'zh-CN': '此安装没有配置 OpenID 登录。' },
  'local-users-may-sign-in': {
    en: 'Try again shortly; users with a password of their own can still sign in.',
    'zh-CN': '请稍后再试；使用本地密码的用户仍可登录。',
  },
  'ask-for-access-there': {
    en: 'Ask for access there, or sign in as somebody else.',
    'zh-CN': '请在对方系统申请访问权限，或以其他身份登录。',
  },
  'sign-in-anew-or-ask': {
    en: 'Begin the sign-in anew. When it happens again, an administrator finds the cause in the log.',
    'zh-CN': '请重新登录。若再次发生，管理员可在日志中找到原因。',
  },
  'make-another-administrator': { en: 'Make someone else a platform administrator first.', 'zh-CN': '请先将其他人设为平台管理员。' },
  'no-such-user': { en: 'There is no such user.', 'zh-CN': '没有这个用户。' },
  'check-name-and-password': { en: 'Check both and try again.', 'zh-CN': '请检查后重试。' },
  'too-many-sign-ins': { en: 'Too many failed sign-ins; wait five minutes.', 'zh-CN': '登录失败次数过多；请等待五分钟。' },
  'user-was-disabled': { en: 'An administrator has disabled this user.', 'zh-CN': '管理员已停用该用户。' },
  'no-own-session': { en: 'You have no such session.', 'zh-CN': '您没有这个会话。' },
  'no-such-session': { en: 'There is no such session.', 'zh-CN': '没有这个会话。' },
  'own-password-elsewhere': {
    en: 'Your password is kept by the system you sign in with; change it there.',
    'zh-CN': '您的密码由登录所用的系统保管；请在那里修改。',
  },
  'type-current-password': { en: 'Type the password you signed in with.', 'zh-CN': '请输入登录时使用的密码。' },
  'password-unchanged': { en: 'The new password is the old one.', 'zh-CN': '新密码与旧密码相同。' },
  'password-changed-meanwhile': { en: 'It was changed meanwhile.', 'zh-CN': '密码已在此期间被修改。' },
  'no-such-member': { en: 'The project has no such member.', 'zh-CN': '项目中没有这个成员。' },
  'no-own-token': { en: 'You have no such API token.', 'zh-CN': '您没有这个 API 令牌。' },
  'no-such-token': { en: 'There is no such API token.', 'zh-CN': '没有这个 API 令牌。' },
  'no-such-join-token': { en: 'There is no such join token.', 'zh-CN': '没有这个加入令牌。' },
  'address-closed': { en: 'This address has no access rule and is closed.', 'zh-CN': '该地址没有访问规则，已关闭。' },
  'node-join-again': {
    en: 'The node is unknown or was removed; join again with a join token.',
    'zh-CN': '节点未知或已被移除；请用加入令牌重新加入。',
  },
  'set-own-password': {
    en: 'Set a password of your own first: POST /api/v1/me/password.',
    'zh-CN': '请先设置自己的密码：POST /api/v1/me/password。',
  },
  'create-token-or-sign-in': { en: 'Create a new API token, or sign in.', 'zh-CN': '请创建新的 API 令牌，或登录。' },
  'sign-in-or-send-token': {
    en: 'Sign in, or send an API token as "Authorization: Bearer …".',
    'zh-CN': '请登录，或以 “Authorization: Bearer …” 发送 API 令牌。',
  },
  'group-name-taken': { en: 'There is a group of that name already.', 'zh-CN': '已有同名的用户组。' },
  'group-external-name-taken': { en: 'Another group has that external name already.', 'zh-CN': '该外部名称已属于另一个用户组。' },
  'no-such-group-member': { en: 'The group has no such member.', 'zh-CN': '用户组中没有这个成员。' },
  'no-such-group': { en: 'There is no such group.', 'zh-CN': '没有这个用户组。' },
  'no-such-workflow': { en: 'There is no such workflow.', 'zh-CN': '没有这个工作流。' },
  'no-such-secret': { en: 'The project has no secret of that name.', 'zh-CN': '项目中没有这个名称的密钥。' },
  'too-many-secrets': { en: 'A project has at most {limit} secrets: remove one.', 'zh-CN': '每个项目最多 {limit} 个密钥：请删除一个。' },
  'no-such-variable': { en: 'The project has no variable of that name.', 'zh-CN': '项目中没有这个名称的变量。' },
  'too-many-variables': {
    en: 'A project has at most {limit} variables: remove one.',
    'zh-CN': '每个项目最多 {limit} 个变量：请删除一个。',
  },
  'scopes-beyond-own': { en: 'You do not have {scopes} and cannot pass it on.', 'zh-CN': '您没有 {scopes}，无法转授。' },
  'origin-unknown': {
    en: 'This is accepted from pages of {host} only, not of another site.',
    'zh-CN': '仅接受来自 {host} 页面的请求，不接受其他网站。',
  },
  'origin-other': {
    en: 'This is accepted from pages of {host} only, not of {origin}.',
    'zh-CN': '仅接受来自 {host} 页面的请求，不接受 {origin}。',
  },
  'idempotency-answer-secret': {
    en: 'What this key has made holds a secret that only the first answer showed. If that was lost, revoke it and use a new key.',
    'zh-CN': '此键创建的内容含有仅在首次响应中显示的密钥。若已丢失，请吊销它并使用新的键。',
  },
  'log-removed': {
    en: 'The log of this attempt was removed on {at}: it was older than logs are kept (MEDLEY_LOG_RETENTION_DAYS).',
    'zh-CN': '此次尝试的日志已于 {at} 删除：超过了日志保留期限（MEDLEY_LOG_RETENTION_DAYS）。',
  },
  'log-blob-damaged': {
    en: 'The archived log "{key}" in the blob store {store} cannot be read: {reason}.',
    'zh-CN': '无法读取对象存储 {store} 中的归档日志“{key}”：{reason}。',
  },
  'blob-store-unusable': { en: 'The blob store {store} cannot be used: {reason}', 'zh-CN': '无法使用对象存储 {store}：{reason}' },
  'user-name-of-another': {
    en: 'The name "{name}" belongs to another user of Medley; an administrator has to rename or remove one of the two.',
    'zh-CN': '名称“{name}”属于 Medley 的另一个用户；需由管理员重命名或移除其中之一。',
  },
  'route-unknown': { en: 'There is nothing at {route}.', 'zh-CN': '{route} 处没有内容。' },
  'send-less': { en: '{detail}; send less at once.', 'zh-CN': '请求体过大（{detail}）；请减少单次发送的内容。' },
  'send-json': { en: '{detail}; send application/json.', 'zh-CN': '不支持的内容类型（{detail}）；请发送 application/json。' },
  'when-not-boolean': { en: '`when` is neither true nor false: `{when}`', 'zh-CN': '`when` 的值既不是 true 也不是 false：`{when}`' },
  'map-over-no-list': { en: '`map.over` is no list: `{over}` must yield one.', 'zh-CN': '`map.over` 不是列表：`{over}` 的值须为列表。' },
  'map-over-too-long': {
    en: '`map.over` has {count} items; a task is mapped over at most {limit}.',
    'zh-CN': '`map.over` 有 {count} 项；一个任务最多展开 {limit} 项。',
  },
  'pool-removed-meanwhile': { en: 'Its pool "{pool}" was removed while it waited.', 'zh-CN': '等待期间，其池“{pool}”已被移除。' },
  'no-such-saved-view': { en: 'There is no such saved view.', 'zh-CN': '没有这个已保存的视图。' },
  'database-unreachable': {
    en: 'The database cannot be reached at the moment; try again in a few seconds.',
    'zh-CN': '暂时无法连接数据库；请几秒后重试。',
  },
  'request-not-handled': {
    en: 'The request could not be handled; the server has logged the cause under this request id.',
    'zh-CN': '请求未能处理；服务端已按此请求编号记录原因。',
  },
  'join-token-used-up': {
    en: 'The token is unknown, expired, revoked or used up. Create a new one under Nodes → Join a node.',
    'zh-CN': '令牌未知、已过期、已吊销或已用完。请在“节点 → 加入节点”中新建。',
  },
  'no-such-task-run': { en: 'There is no such task run.', 'zh-CN': '没有这个任务运行。' },
  'no-such-limit': { en: 'There is no such limit.', 'zh-CN': '没有这个限额。' },
  'limit-name-taken': { en: 'There is a limit named "{name}" already.', 'zh-CN': '已有名为“{name}”的限额。' },
  'mutex-has-one-slot': {
    en: '"{name}" is a mutex, which always has one slot; use a limit where there are to be more.',
    'zh-CN': '“{name}”是互斥锁，始终只有一个名额；需要更多名额时请使用限额。',
  },
  'limit-limits-nothing': {
    en: 'A limit has slots, a rate, or both; remove it if it is to limit nothing.',
    'zh-CN': '限额须有名额或速率，或两者兼有；若不再限制，请将其移除。',
  },
  'limit-still-has': { en: 'The limit "{name}" still has {things}.', 'zh-CN': '限额“{name}”仍有 {things}。' },
  'limit-holders': { en: '{count} task(s) that hold it', 'zh-CN': '{count} 个占用它的任务' },
  'limit-waiters': { en: '{count} task(s) that wait for it', 'zh-CN': '{count} 个等待它的任务' },
  'limit-workflows': { en: 'workflows that name it: {names}', 'zh-CN': '引用它的工作流：{names}' },
  'limit-of-task-missing': {
    en: 'There is no limit named `{limit}`: create it, or name another one.',
    'zh-CN': '没有名为 `{limit}` 的限额：请创建它，或改用其他限额。',
  },
  'run-key-too-long': {
    en: 'The key of `concurrency` has {count} characters; at most {limit} are allowed.',
    'zh-CN': '`concurrency` 的键有 {count} 个字符；最多允许 {limit} 个。',
  },
  'no-such-pool': { en: 'There is no such pool.', 'zh-CN': '没有这个池。' },
  'cursor-leave-out': { en: 'Leave cursor out to begin at the start.', 'zh-CN': '请不带 cursor 从头开始。' },
  'every-task-succeeded': {
    en: 'Every task of the run succeeded; use the mode "all" to run them again.',
    'zh-CN': '运行的所有任务均已成功；如需全部重跑，请选择“全部”。',
  },
  'no-such-run': { en: 'There is no such run.', 'zh-CN': '没有这次运行。' },
  'no-run-can-be-acted-on': {
    en: 'None of these runs is in a state that this can be done to, in a project where you may do it.',
    'zh-CN': '这些运行都不在可执行此操作的状态，或您在其项目中无权执行。',
  },
  'user-count-changed': {
    en: 'There are {now} users to change now, and {told} were told: look again before it is done to all.',
    'zh-CN': '现在有 {now} 个用户将被修改，而之前告知的是 {told} 个：请重新查看后再执行。',
  },
  'users-too-many': {
    en: 'At most {limit} users are changed at once: narrow the filter, and go on with the rest afterwards.',
    'zh-CN': '一次最多修改 {limit} 个用户：请缩小筛选范围，其余的随后继续。',
  },
  'own-account-stays': {
    en: 'Nobody disables the own account along with many others.',
    'zh-CN': '批量停用不包括自己的账户。',
  },
  'no-such-bulk': { en: 'There is no such action on many runs.', 'zh-CN': '没有这个批量操作。' },
  'run-gone': { en: 'There is no such run any more.', 'zh-CN': '这次运行已不存在。' },
  'right-taken-away': {
    en: 'The right to do this in the project of the run was taken away meanwhile.',
    'zh-CN': '您在该运行所属项目中的权限已在此期间被收回。',
  },
  'token-taken-away': {
    en: 'The API token that this was started with was revoked or has expired meanwhile.',
    'zh-CN': '启动此操作的 API 令牌已在此期间被吊销或过期。',
  },
  'idempotency-key-form': {
    en: 'Idempotency-Key has to be one text of at most {limit} characters.',
    'zh-CN': 'Idempotency-Key 须为最多 {limit} 个字符的文本。',
  },
  'project-has-active-runs': {
    en: 'The project "{name}" has {count} active run(s); wait for their end, or cancel them.',
    'zh-CN': '项目“{name}”有 {count} 个进行中的运行；请等待其结束，或取消它们。',
  },
  'log-blob-missing': {
    en: 'The archived log "{key}" is not in the blob store {store} any more.',
    'zh-CN': '归档日志“{key}”已不在对象存储 {store} 中。',
  },
  'user-name-taken': { en: 'There is a user named "{name}" already.', 'zh-CN': '已有名为“{name}”的用户。' },
  'password-elsewhere': {
    en: 'The password of "{name}" is kept by another system ({system}); change it there.',
    'zh-CN': '“{name}”的密码由另一系统（{system}）保管；请在那里修改。',
  },
  'no-pool-named': { en: 'There is no pool named "{pool}".', 'zh-CN': '没有名为“{pool}”的池。' },
  'saved-views-full': {
    en: 'At most {limit} views of a page can be saved: remove one.',
    'zh-CN': '每页最多保存 {limit} 个视图：请删除一个。',
  },
  'view-name-taken': {
    en: 'You have a view named "{name}" of this page already: change that one, or choose another name.',
    'zh-CN': '此页已有名为“{name}”的视图：请修改它，或另选名称。',
  },
  'node-name-taken': {
    en: 'A node named "{name}" is in service. Start the agent under another name, or stop the other one first.',
    'zh-CN': '名为“{name}”的节点正在服务。请以其他名称启动代理，或先停止那一个。',
  },
  'run-not-ended': {
    en: 'The run is {state}; wait until it has ended, or cancel it.',
    'zh-CN': '运行尚未结束（{state}）；请等待其结束，或取消它。',
  },
  'bulk-too-large': {
    en: 'At most {limit} runs are taken at once: narrow the filter, and go on with the rest afterwards.',
    'zh-CN': '一次最多 {limit} 个运行：请缩小筛选范围，其余的随后继续。',
  },
  'bulk-count-changed': {
    en: 'There are {now} runs now, and {told} were told: look again before it is done to all.',
    'zh-CN': '现在有 {now} 个运行，而之前告知的是 {told} 个：请重新查看后再执行。',
  },
  'run-has-ended': { en: 'The run has ended as {state}.', 'zh-CN': '运行已结束（{state}）。' },
  'pool-name-taken': { en: 'There is a pool named "{name}" already.', 'zh-CN': '已有名为“{name}”的池。' },
  'member-by-directory': {
    en: '"{name}" belongs to the group because a directory says so; change it there, or clear the group\'s external name.',
    'zh-CN': '“{name}”由目录决定属于该组；请在目录中修改，或清除该组的外部名称。',
  },

  'no-such-backfill': { en: 'There is no such backfill.', 'zh-CN': '没有这次补跑。' },
  'backfill-too-large': {
    en: 'The schedule fires more than {limit} times in this range: narrow it, and go on with the rest in another backfill.',
    'zh-CN': '该调度在此范围内触发超过 {limit} 次：请缩小范围，其余的用另一次补跑继续。',
  },
  'backfill-count-changed': {
    en: 'There are {now} fires now, and {told} were told: look again before they start.',
    'zh-CN': '现在有 {now} 次触发，而之前告知的是 {told} 次：请重新查看后再启动。',
  },
  'range-backwards': { en: '{to} is before {from}: the range ends before it begins.', 'zh-CN': '{to} 早于 {from}：范围的终点在起点之前。' },
  'range-to-come': {
    en: '{from} is yet to come: the schedule starts those runs by itself.',
    'zh-CN': '{from} 尚未到来：届时由调度自行启动。',
  },

  'pause-impossible': { en: 'The run is being cancelled; it cannot be paused.', 'zh-CN': '运行正在取消，无法暂停。' },
  'resume-impossible': { en: 'The run is being cancelled; it cannot be resumed.', 'zh-CN': '运行正在取消，无法继续。' },
  'task-perhaps': { en: '`{task}` (did you mean `{nearest}`?)', 'zh-CN': '`{task}`（是否想写 `{nearest}`？）' },
  'no-such-task': { en: 'no such task: {tasks}', 'zh-CN': '没有这个任务：{tasks}' },
  'workflow-has-no-task': { en: 'The workflow has no task {tasks}.', 'zh-CN': '工作流中没有任务 {tasks}。' },
  'kept-needs-unmet': {
    en: 'What is kept does not fulfil the needs of {tasks}. Choose what it needs as well, or use the mode "failed".',
    'zh-CN': '保留的部分不满足 {tasks} 的依赖。请同时选择其所需的任务，或使用“仅失败的任务”。',
  },
  'approval-of-other-values': {
    en: 'A kept approval was given for other values: {approvals}.',
    'zh-CN': '保留的审批是针对其他参数值作出的：{approvals}。',
  },
  'approvals-overtaken': {
    en: 'What was approved would run again, and its approval be kept: {approvals}. Choose it as well, so that it is decided again, or run what depends on the tasks too.',
    'zh-CN': '已审批的内容将重新运行，而其审批会被保留：{approvals}。请同时选择该审批，使其重新审批，或者一并重新运行依赖这些任务的任务。',
  },
  'approvals-would-be-kept': {
    en: 'With other parameters nothing that was approved may be kept: {approvals}. Begin from it, so that it is decided again, or leave the parameters as they are.',
    'zh-CN': '更改参数后，不能保留已作出的审批：{approvals}。请从该审批开始重新运行，使其重新审批，或者保持参数不变。',
  },
  'task-not-markable': {
    en: 'It is being cancelled with its run, or its own parts run: mark these.',
    'zh-CN': '它正随其运行一起取消，或由其自身的部分在运行：请标记那些部分。',
  },
  'task-end-stays': {
    en: 'The task has {state}, and an end is never changed: run it again from this task.',
    'zh-CN': '任务已结束（{state}），结果不可更改：请从该任务重跑。',
  },
  'task-end-stays-passive': {
    en: 'The task was {state}, and an end is never changed: run it again from this task.',
    'zh-CN': '任务已结束（{state}），结果不可更改：请从该任务重跑。',
  },
  'task-skipped': { en: 'skipped', 'zh-CN': '已跳过' },

  'permission-needed': { en: 'This needs the permission {permission}: {why}.', 'zh-CN': '需要权限 {permission}：{why}。' },
  'permission-nowhere': {
    en: 'This needs the permission {permission}, which you have in no project.',
    'zh-CN': '需要权限 {permission}，而您在任何项目中都没有该权限。',
  },
  'not-own-project': { en: 'the project is not one of the caller', 'zh-CN': '不是调用者的项目' },
  'given-by-role': { en: 'the role {role} of the project gives it', 'zh-CN': '项目中的角色 {role} 拥有该权限' },
  'given-by-platform': { en: 'a platform administrator has it', 'zh-CN': '平台管理员拥有该权限' },
  'and-yours-is': { en: '{giver}, and yours is {role}', 'zh-CN': '{giver}，而您的角色是 {role}' },
  'token-of-one-project': { en: 'the token is of one project only', 'zh-CN': '该令牌只限一个项目' },
  'token-lacks-scope': {
    en: 'a token needs the scope {needed} for it, and this one has {scopes}',
    'zh-CN': '令牌需要范围 {needed}，而此令牌的范围是 {scopes}',
  },
  'no-project-to-see': {
    en: 'There is no project named "{name}" that you may see, and you may not create it.',
    'zh-CN': '没有您可见的名为“{name}”的项目，您也无权创建它。',
  },
  'newer-version': {
    en: 'The latest version is {version}, not the one you edited; load it, make your change again and apply.',
    'zh-CN': '最新版本是 {version}，不是您编辑的版本；请加载最新版本后重新修改并应用。',
  },
  'workflow-gone': {
    en: 'The workflow does not exist (any more); apply without If-Match to create it.',
    'zh-CN': '工作流（已）不存在；请不带 If-Match 应用以创建它。',
  },
  'no-such-version': { en: 'The workflow has no version {version}.', 'zh-CN': '工作流没有版本 {version}。' },
  'project-name-taken': { en: 'There is a project named "{name}" already.', 'zh-CN': '已有名为“{name}”的项目。' },
  'project-name-former': {
    en: '"{name}" is a former name of the project "{project}", and workflow files still mean that one by it.',
    'zh-CN': '“{name}”是项目“{project}”的旧名，工作流文件中仍以此指代该项目。',
  },
  'project-holds': {
    en: 'The project "{name}" holds {runs} run(s), {workflows} workflow(s) and {schedules} schedule(s); ask again with withRuns=true to remove it with them.',
    'zh-CN': '项目“{name}”有 {runs} 个运行、{workflows} 个工作流和 {schedules} 个调度；如需一并移除，请带 withRuns=true 再次请求。',
  },
  'pool-still-has': { en: 'The pool "{name}" still has {things}.', 'zh-CN': '池“{name}”仍有 {things}。' },
  'pool-nodes': { en: '{count} node(s): drain and remove them', 'zh-CN': '{count} 个节点（请排空并移除）' },
  'pool-tokens': { en: '{count} join token(s) in force: revoke them', 'zh-CN': '{count} 个有效的加入令牌（请吊销）' },
  'pool-tasks': {
    en: '{count} unfinished task run(s): wait for their end, or cancel the runs',
    'zh-CN': '{count} 个未完成的任务运行（请等待结束，或取消运行）',
  },
  'pool-of-task-missing': {
    en: 'There is no pool named `{pool}`: create it, or name another one.',
    'zh-CN': '没有名为 `{pool}` 的池：请创建它，或改用其他池。',
  },
  'password-faults': { en: 'The password {faults}.', 'zh-CN': '密码{faults}。' },
  'password-short': { en: 'has fewer than {limit} characters', 'zh-CN': '少于 {limit} 个字符' },
  'password-like-name': { en: 'is little more than the name', 'zh-CN': '与名称几乎相同' },
  'password-monotonous': { en: 'is made of fewer than four different characters', 'zh-CN': '不同的字符少于四个' },

  'run-queued': { en: 'queued', 'zh-CN': '排队中' },
  'run-running': { en: 'running', 'zh-CN': '运行中' },
  'run-paused': { en: 'paused', 'zh-CN': '已暂停' },
  'run-cancelling': { en: 'cancelling', 'zh-CN': '正在取消' },
  'run-succeeded': { en: 'succeeded', 'zh-CN': '成功' },
  'run-failed': { en: 'failed', 'zh-CN': '失败' },
  'run-cancelled': { en: 'cancelled', 'zh-CN': '已取消' },
} as const satisfies TextTable;
