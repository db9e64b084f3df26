import type { RouteRecordRaw } from 'vue-router';

export const poolRoutes: RouteRecordRaw[] = [
  { path: '/pools', name: 'pools', component: () => import('./views/PoolListView.vue'), meta: { title: 'nav.pools' } },
];
