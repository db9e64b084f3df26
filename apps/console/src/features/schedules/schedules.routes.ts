import type { RouteRecordRaw } from 'vue-router';

export const scheduleRoutes: RouteRecordRaw[] = [
  { path: '/schedules', name: 'schedules', component: () => import('./views/ScheduleListView.vue'), meta: { title: 'nav.schedules' } },
];
