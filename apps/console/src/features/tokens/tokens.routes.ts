import type { RouteRecordRaw } from 'vue-router';

export const tokenRoutes: RouteRecordRaw[] = [
  { path: '/tokens', name: 'tokens', component: () => import('./views/TokenListView.vue'), meta: { title: 'nav.tokens' } },
];
