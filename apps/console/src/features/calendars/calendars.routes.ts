import type { RouteRecordRaw } from 'vue-router';

export const calendarRoutes: RouteRecordRaw[] = [
  { path: '/calendars', name: 'calendars', component: () => import('./views/CalendarListView.vue'), meta: { title: 'nav.calendars' } },
];
