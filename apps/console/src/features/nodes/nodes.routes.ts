import type { RouteRecordRaw } from 'vue-router';

export const nodeRoutes: RouteRecordRaw[] = [
  { path: '/nodes', name: 'nodes', component: () => import('./views/NodeListView.vue'), meta: { title: 'nav.nodes' } },
];
