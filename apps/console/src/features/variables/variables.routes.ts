import type { RouteRecordRaw } from 'vue-router';

export const variableRoutes: RouteRecordRaw[] = [
  { path: '/variables', name: 'variables', component: () => import('./views/VariableListView.vue'), meta: { title: 'nav.variables' } },
];
