import type { RouteRecordRaw } from 'vue-router';

export const workflowRoutes: RouteRecordRaw[] = [
  { path: '/workflows', name: 'workflows', component: () => import('./views/WorkflowListView.vue'), meta: { title: 'nav.workflows' } },
  {
    path: '/workflows/new',
    name: 'workflow-new',
    component: () => import('./views/WorkflowNewView.vue'),
    meta: { title: 'workflows.new', needs: ['workflow:write'] },
  },
  {
    path: '/workflows/:workflowId',
    name: 'workflow',
    component: () => import('./views/WorkflowView.vue'),
    meta: { title: 'nav.workflows' },
  },
];
