import type { RouteRecordRaw } from 'vue-router';

export const scheduleRoutes: RouteRecordRaw[] = [
  { path: '/schedules', name: 'schedules', component: () => import('./views/ScheduleListView.vue'), meta: { title: 'nav.schedules' } },
  {
    path: '/schedules/new',
    name: 'schedule-new',
    component: () => import('./views/ScheduleNewView.vue'),
    meta: { title: 'schedules.new', needs: ['schedule:write'] },
  },
  {
    path: '/schedules/:scheduleId',
    name: 'schedule',
    component: () => import('./views/ScheduleView.vue'),
    meta: { title: 'nav.schedules' },
  },
];
