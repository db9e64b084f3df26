import type { Permission } from '@medley/core';
import { createRouter, createWebHistory, type RouteRecordRaw } from 'vue-router';
import { accessRoutes } from '../features/access/access.routes.js';
import { accountRoutes } from '../features/account/account.routes.js';
import { approvalRoutes } from '../features/approvals/approvals.routes.js';
import { auditRoutes } from '../features/audit/audit.routes.js';
import { calendarRoutes } from '../features/calendars/calendars.routes.js';
import { limitRoutes } from '../features/limits/limits.routes.js';
import { nodeRoutes } from '../features/nodes/nodes.routes.js';
import { overviewRoutes } from '../features/overview/overview.routes.js';
import { placementRoutes } from '../features/placement/placement.routes.js';
import { poolRoutes } from '../features/pools/pools.routes.js';
import { projectRoutes } from '../features/projects/projects.routes.js';
import { runRoutes } from '../features/runs/runs.routes.js';
import { scheduleRoutes } from '../features/schedules/schedules.routes.js';
import { secretRoutes } from '../features/secrets/secrets.routes.js';
import { tokenRoutes } from '../features/tokens/tokens.routes.js';
import { variableRoutes } from '../features/variables/variables.routes.js';
import { workflowRoutes } from '../features/workflows/workflows.routes.js';
import { useSession } from '../session/session.store.js';
import { routeTitle } from './document-title.js';

declare module 'vue-router' {
  interface RouteMeta {
    /** Drawn within navigation and top bar, for people who are signed in. */
    inShell?: boolean;
    /** Key of the document's title until the view knows better. */
    title?: string;
    /** Open to those only who have one of these, in whatever project; the last one is what others are told to ask for. */
    needs?: readonly Permission[];
  }
}

const rooms: RouteRecordRaw[] = [
  ...overviewRoutes,
  ...runRoutes,
  ...scheduleRoutes,
  ...workflowRoutes,
  ...variableRoutes,
  ...calendarRoutes,
  ...secretRoutes,
  ...nodeRoutes,
  ...poolRoutes,
  ...limitRoutes,
  ...placementRoutes,
  ...tokenRoutes,
  ...approvalRoutes,
  ...projectRoutes,
  ...accessRoutes,
  ...auditRoutes,
  ...accountRoutes,
];

export const router = createRouter({
  history: createWebHistory(),
  routes: [
    { path: '/login', name: 'login', component: () => import('../features/login/views/LoginView.vue'), meta: { title: 'login.title' } },
    {
      path: '/password',
      name: 'password',
      component: () => import('../features/account/views/FirstPasswordView.vue'),
      meta: { title: 'account.passwordTitle' },
    },
    ...rooms.map((room) => ({ ...room, meta: { inShell: true, ...room.meta } }) as RouteRecordRaw),
    {
      path: '/:rest(.*)*',
      name: 'nowhere',
      component: () => import('../shell/NowhereView.vue'),
      meta: { inShell: true, title: 'nowhere.title' },
    },
  ],
});

router.beforeEach(async (to) => {
  const me = await useSession().load();
  if (to.meta.inShell && me === null) return { name: 'login', query: to.fullPath === '/' ? {} : { to: to.fullPath } };
  if (me?.mustChangePassword && to.name !== 'password') return { name: 'password', query: to.meta.inShell ? { to: to.fullPath } : {} };
  if (to.name === 'password' && !me?.mustChangePassword) return { name: me ? 'account' : 'login' };
  if (to.name === 'login' && me !== null) return { name: 'overview' };
  return true;
});

router.afterEach((to) => {
  routeTitle.value = to.meta.title ?? null;
});
