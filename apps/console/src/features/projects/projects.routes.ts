import type { RouteRecordRaw } from 'vue-router';

export const projectRoutes: RouteRecordRaw[] = [
  { path: '/projects', name: 'projects', component: () => import('./views/ProjectListView.vue'), meta: { title: 'nav.projects' } },
];
