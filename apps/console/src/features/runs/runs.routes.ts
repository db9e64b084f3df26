import type { RouteRecordRaw } from 'vue-router';

export const runRoutes: RouteRecordRaw[] = [
  { path: '/runs', name: 'runs', component: () => import('./views/RunListView.vue'), meta: { title: 'nav.runs' } },
  { path: '/runs/:runId', name: 'run', component: () => import('./views/RunView.vue'), meta: { title: 'nav.runs' } },
];
