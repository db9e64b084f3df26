import type { RouteRecordRaw } from 'vue-router';

export const auditRoutes: RouteRecordRaw[] = [
  { path: '/audit', name: 'audit', component: () => import('./views/AuditView.vue'), meta: { title: 'nav.audit', needs: ['audit:read'] } },
];
