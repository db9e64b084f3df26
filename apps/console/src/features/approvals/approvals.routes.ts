import type { RouteRecordRaw } from 'vue-router';

export const approvalRoutes: RouteRecordRaw[] = [
  { path: '/approvals', name: 'approvals', component: () => import('./views/ApprovalListView.vue'), meta: { title: 'nav.approvals' } },
];
