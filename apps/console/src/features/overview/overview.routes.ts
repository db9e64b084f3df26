import type { RouteRecordRaw } from 'vue-router';

export const overviewRoutes: RouteRecordRaw[] = [
  { path: '/', name: 'overview', component: () => import('./views/OverviewView.vue'), meta: { title: 'nav.overview' } },
];
