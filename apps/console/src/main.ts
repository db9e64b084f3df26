import { VueQueryPlugin } from '@tanstack/vue-query';
import { createPinia } from 'pinia';
import { createApp } from 'vue';
import 'element-plus/theme-chalk/dark/css-vars.css';
import './styles/base.css';
import './styles/tokens.css';
import { onSignedOut } from './api/api-client.js';
import { queryClient } from './api/query-client.js';
import { i18n, setLanguage } from './i18n/i18n.js';
import { onSessionInDoubt } from './live/live-events.js';
import { usePreferences } from './preferences/preferences.store.js';
import { router } from './router/router.js';
import { useSession } from './session/session.store.js';
import App from './shell/App.vue';

const app = createApp(App).use(createPinia()).use(i18n).use(router).use(VueQueryPlugin, { queryClient });

onSignedOut(() => {
  useSession().forget();
  const from = router.currentRoute.value;
  if (from.name !== 'login') void router.push({ name: 'login', query: { to: from.fullPath } });
});

onSessionInDoubt(() => void useSession().refresh());

await setLanguage(usePreferences().language);
app.mount('#app');
