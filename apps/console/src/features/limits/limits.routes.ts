import type { RouteRecordRaw } from 'vue-router';

export const limitRoutes: RouteRecordRaw[] = [
  { path: '/limits', name: 'limits', component: () => import('./views/LimitListView.vue'), meta: { title: 'nav.limits' } },
];
