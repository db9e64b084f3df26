/** Columns of a run as `RunListItem` shows it; `runFrom` gives the tables they come from, and `runJoins` those beside the run `r` itself. */
export const runColumns = `
r.id, r.project_id as "projectId", p.name as project, r.workflow_id as "workflowId", w.name as workflow, r.workflow_version as "workflowVersion", r.state,
r.trigger, r.schedule_id as "scheduleId", s.name as schedule, r.fire_at as "fireAt", r.rerun_of as "rerunOf", r.backfill_id as "backfillId",
case when pt.id is not null then json_build_object('runId', pr.id, 'workflow', pw.name, 'taskRunId', pt.id, 'task', pt.task_key) end as parent, u.name as "createdBy",
r.task_count as "taskCount", r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt"`;

export const runJoins = `
join projects p on p.id = r.project_id join workflows w on w.id = r.workflow_id
left join schedules s on s.id = r.schedule_id left join users u on u.id = r.created_by
left join runs pr on pr.id = r.parent_run_id left join workflows pw on pw.id = pr.workflow_id left join task_runs pt on pt.id = r.parent_task_run_id`;

export const runFrom = `runs r ${runJoins}`;
