import type { Approval, ApprovalQuery, DecideApproval, Page, TaskRunView } from '@medley/contracts';
import { AppError, phrase } from '@medley/core';
import { inTransaction, type Sql, sqlOutsideTransaction } from '@medley/database';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type Caller, visibleProjects } from '../access/caller.js';
import { Settlement } from '../settlement/settlement.js';
import type { Mark } from '../settlement/settlement.types.js';
import { TaskRunsService } from '../task-runs/task-runs.service.js';
import { WakeBus } from '../wake/wake-bus.js';
import { mayApprove, rulesNamingAnywhere, rulesNamingRole } from './approval-rules.js';
import { findApproval, listApprovals, type NamingRules, readGroupNames } from './approvals.repository.js';

/** Decisions that workflows wait for: which there are, and taking them. */
@Injectable()
export class ApprovalsService {
  private readonly sql: Sql;

  constructor(
    @Inject(DataSource) private readonly source: DataSource,
    @Inject(Settlement) private readonly settlement: Settlement,
    @Inject(TaskRunsService) private readonly taskRuns: TaskRunsService,
    @Inject(WakeBus) private readonly wakeBus: WakeBus,
  ) {
    this.sql = sqlOutsideTransaction(source);
  }

  async list(caller: Caller, query: ApprovalQuery): Promise<Page<Approval>> {
    const groups = await readGroupNames(this.sql, caller.userId);
    const projects = visibleProjects(caller, 'run:read', query.projectId);
    const page = await listApprovals(this.sql, query, projects, query.mine ? rulesNaming(caller, groups) : null);
    const items = page.items.map((row) => ({ ...row, mayDecide: mayApprove(row.by, approverOf(caller, groups, row.projectId)) }));
    return { ...page, items };
  }

  /** Throws not-found, permission-denied for whoever is not named, and task-run-ended. */
  async decide(caller: Caller, taskRunId: string, body: DecideApproval): Promise<TaskRunView> {
    const approval = await findApproval(this.sql, taskRunId);
    if (!approval) throw new AppError('task-run-ended', phrase('no-approval-waits'));
    const groups = await readGroupNames(this.sql, caller.userId);
    if (!mayApprove(approval.by, approverOf(caller, groups, approval.projectId)))
      throw new AppError('permission-denied', phrase('not-an-approver', { by: approval.by.join(', ') }));
    const marking = await inTransaction(this.source, (sql) => this.settlement.mark(sql, [{ taskRunId, ...decisionOf(caller, body) }]));
    if (marking.settled.ended.every((each) => each.taskRunId !== taskRunId))
      throw new AppError('task-run-ended', phrase('decided-meanwhile'));
    this.settlement.announceMarking(marking);
    this.wakeBus.changed([{ entity: 'task-run', id: taskRunId, runId: approval.runId, projectId: approval.projectId }]);
    return this.taskRuns.get(taskRunId);
  }
}

function decisionOf({ name, userId }: Caller, { decision, comment }: DecideApproval): Mark {
  const code = decision === 'approve' ? 'approved' : 'rejected';
  const values = { by: name, byId: userId, at: new Date().toISOString(), comment };
  return {
    state: decision === 'approve' ? 'succeeded' : 'failed',
    reason: { code, text: `${code} by ${name}${comment === '' ? '' : `: ${comment}`}`, values },
  };
}

function rulesNaming({ name, isPlatformAdmin, roles }: Caller, groups: readonly string[]): NamingRules {
  return {
    anywhere: [...rulesNamingAnywhere({ name, groups }), ...rulesNamingRole(isPlatformAdmin ? 'admin' : null)],
    inProject: [...roles].flatMap(([projectId, role]) => rulesNamingRole(role).map((rule) => `${projectId} ${rule}`)),
  };
}

function approverOf({ name, isPlatformAdmin, roles }: Caller, groups: readonly string[], projectId: string) {
  return { name, groups, role: isPlatformAdmin ? ('admin' as const) : (roles.get(projectId) ?? null) };
}
