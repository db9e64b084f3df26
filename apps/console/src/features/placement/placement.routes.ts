import type { RouteRecordRaw } from 'vue-router';

export const placementRoutes: RouteRecordRaw[] = [
  { path: '/placement', name: 'placement', component: () => import('./views/PlacementView.vue'), meta: { title: 'nav.placement' } },
];
