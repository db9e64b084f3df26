import { Spine1764500000000 } from './1-spine.migration.js';
import { Access1764600000001 } from './2-access.migration.js';
import { Prefetch1764600000004 } from './4-prefetch.migration.js';
import { LogArchives1764600000005 } from './5-log-archives.migration.js';
import { ConsoleHistory1764600000006 } from './6-console-history.migration.js';
import { CpuLimit1764600000007 } from './7-cpu-limit.migration.js';
import { WaitValues1764600000008 } from './8-wait-values.migration.js';
import { NodeService1764600000009 } from './9-node-service.migration.js';
import { Audit1764600000010 } from './10-audit.migration.js';
import { RunLists1764600000011 } from './11-run-lists.migration.js';
import { RunStatesByProject1764600000012 } from './12-run-states-by-project.migration.js';
import { ScheduleKinds1764600000015 } from './15-schedule-kinds.migration.js';
import { Backfills1764600000017 } from './17-backfills.migration.js';
import { Webhooks1764600000018 } from './18-webhooks.migration.js';
import { TaskOutputs1764600000019 } from './19-task-outputs.migration.js';
import { ProjectVariables1764600000020 } from './20-project-variables.migration.js';
import { UnplacedTaskRuns1764600000021 } from './21-unplaced-task-runs.migration.js';
import { Parts1764600000022 } from './22-parts.migration.js';
import { MarksAndPauses1764600000023 } from './23-marks-and-pauses.migration.js';
import { DeadlinesAndApprovals1764600000024 } from './24-deadlines-and-approvals.migration.js';
import { Limits1764600000025 } from './25-limits.migration.js';
import { Concurrency1764600000026 } from './26-concurrency.migration.js';
import { UserIssuers1764600000027 } from './27-user-issuers.migration.js';
import { Watches1764600000028 } from './28-watches.migration.js';
import { Calendars1764600000029 } from './29-calendars.migration.js';
import { ProjectSecrets1764600000030 } from './30-project-secrets.migration.js';
import { RunBulkTokens1764600000031 } from './31-run-bulk-tokens.migration.js';
import { EndedLooks1764600000032 } from './32-ended-looks.migration.js';
import { SubWorkflows1764600000033 } from './33-sub-workflows.migration.js';
import { Loops1764600000034 } from './34-loops.migration.js';
import { UpstreamSchedules1764600000035 } from './35-upstream-schedules.migration.js';
import { WorkingFiles1764600000037 } from './37-working-files.migration.js';
import { NodeLooks1764600000038 } from './38-node-looks.migration.js';
import { AttemptExplanations1764600000039 } from './39-attempt-explanations.migration.js';

/** Every migration in the order in which it is applied; append only. */
export const migrations = [
  Spine1764500000000,
  Access1764600000001,
  Prefetch1764600000004,
  LogArchives1764600000005,
  ConsoleHistory1764600000006,
  CpuLimit1764600000007,
  WaitValues1764600000008,
  NodeService1764600000009,
  Audit1764600000010,
  RunLists1764600000011,
  RunStatesByProject1764600000012,
  ScheduleKinds1764600000015,
  Backfills1764600000017,
  Webhooks1764600000018,
  TaskOutputs1764600000019,
  ProjectVariables1764600000020,
  UnplacedTaskRuns1764600000021,
  Parts1764600000022,
  MarksAndPauses1764600000023,
  DeadlinesAndApprovals1764600000024,
  Limits1764600000025,
  Concurrency1764600000026,
  UserIssuers1764600000027,
  Watches1764600000028,
  Calendars1764600000029,
  ProjectSecrets1764600000030,
  RunBulkTokens1764600000031,
  EndedLooks1764600000032,
  SubWorkflows1764600000033,
  Loops1764600000034,
  UpstreamSchedules1764600000035,
  WorkingFiles1764600000037,
  NodeLooks1764600000038,
  AttemptExplanations1764600000039,
];
