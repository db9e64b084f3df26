import { type ListColumn, sortBy } from '../../lists/list-column.js';

export const scheduleColumns: ListColumn[] = [
  { name: 'enabled', label: 'schedules.enabled', isFixed: true },
  { name: 'name', label: 'schedules.name', isFixed: true, sort: sortBy('name') },
  { name: 'workflow', label: 'runs.workflow', sort: sortBy('workflow') },
  { name: 'rule', label: 'schedules.cron' },
  { name: 'zone', label: 'schedules.zone', sort: sortBy('zone') },
  { name: 'next', label: 'schedules.next', sort: sortBy('next') },
  { name: 'overlap', label: 'schedules.overlap', isExtra: true },
  { name: 'misfire', label: 'schedules.misfire', isExtra: true },
  { name: 'runs', label: 'schedules.runs' },
];
