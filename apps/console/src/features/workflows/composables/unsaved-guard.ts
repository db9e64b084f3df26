import { onBeforeUnmount, onMounted, type Ref } from 'vue';
import { useI18n } from 'vue-i18n';
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router';
import { confirmed } from '../../../parts/notify.js';

/** Asks before a change that was not saved is left behind: by a link, a tab of the page, or closing the window. */
export function useUnsavedGuard(isDirty: Ref<boolean>): void {
  const { t } = useI18n();
  const mayLeave = async () =>
    !isDirty.value || (await confirmed(t('unsaved.title'), t('unsaved.text'), t('unsaved.leave'), t('unsaved.stay')));
  onBeforeRouteLeave(mayLeave);
  onBeforeRouteUpdate((to, from) => (to.query.tab === from.query.tab ? true : mayLeave()));

  const warn = (event: BeforeUnloadEvent) => {
    if (isDirty.value) event.preventDefault();
  };
  onMounted(() => addEventListener('beforeunload', warn));
  onBeforeUnmount(() => removeEventListener('beforeunload', warn));
}
