import type { ListColumn } from '../../lists/list-column.js';

/** The columns of a list of runs. Created and duration have the API's own words for their orders, the one most people want first. */
export const runColumns: ListColumn[] = [
  { name: 'state', label: 'runs.state', isFixed: true },
  { name: 'run', label: 'runList.column.run' },
  { name: 'project', label: 'runList.column.project', isExtra: true },
  { name: 'workflow', label: 'runList.column.workflow' },
  { name: 'trigger', label: 'runList.column.trigger' },
  { name: 'tasks', label: 'runList.column.tasks', isNumber: true },
  {
    name: 'duration',
    label: 'runList.column.duration',
    isNumber: true,
    sort: { ascending: 'shortest', descending: 'longest', first: 'descending' },
  },
  { name: 'created', label: 'runList.column.created', sort: { ascending: 'oldest', descending: 'newest', first: 'descending' } },
  { name: 'finished', label: 'runList.column.finished', isExtra: true },
];
