import type { RouteRecordRaw } from 'vue-router';

export const secretRoutes: RouteRecordRaw[] = [
  { path: '/secrets', name: 'secrets', component: () => import('./views/SecretListView.vue'), meta: { title: 'nav.secrets' } },
];
