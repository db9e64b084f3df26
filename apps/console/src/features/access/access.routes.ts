import type { RouteRecordRaw } from 'vue-router';

export const accessRoutes: RouteRecordRaw[] = [
  {
    path: '/access/:tab?',
    name: 'access',
    component: () => import('./views/AccessView.vue'),
    meta: { title: 'nav.access', needs: ['user:read', 'member:read'] },
  },
];
