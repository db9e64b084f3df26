import { type ListColumn, sortBy } from '../../lists/list-column.js';

/** What stands in the list of approvals. The longest waiting and the nearest deadline are best seen first. */
export const approvalColumns: ListColumn[] = [
  { name: 'task', label: 'runs.task', isFixed: true, sort: sortBy('task') },
  { name: 'workflow', label: 'runs.workflow', sort: sortBy('workflow') },
  { name: 'run', label: 'approvals.run' },
  { name: 'startedBy', label: 'approvals.startedBy', sort: sortBy('startedBy') },
  { name: 'since', label: 'approvals.since', sort: sortBy('since') },
  { name: 'deadline', label: 'approvals.deadline', sort: sortBy('deadline') },
  { name: 'by', label: 'approvals.by' },
];
